"""Whether a path given by the user exists. An impossible name, such as one that is too long, does not.

`Path` raises an error for such a name; these do not.
"""

from os.path import exists as is_there
from os.path import isdir as is_folder
from os.path import isfile as is_file

__all__ = ["is_file", "is_folder", "is_there"]
