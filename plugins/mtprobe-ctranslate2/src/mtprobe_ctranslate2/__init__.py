"""`ct2:FOLDER`: a CTranslate2 model, which translates and scores."""

from mtprobe_ctranslate2.model import Ct2Model, open_ct2

__all__ = ["Ct2Model", "open_ct2"]
