"""Schemas written for these tests, in the layout of WinoGrande: two sentences each, which differ in a word."""

from __future__ import annotations

import json
from pathlib import Path

# name: sentence with {}, both options, the word that makes the first right, the word that makes the second right
SCHEMAS = {
    "suitcase": ("The book does not fit into the suitcase because the _ is too {}.", "book", "suitcase", "large", "small"),
    "table": ("I put the vase on the table and the _ broke because it was {}.", "vase", "table", "fragile", "rotten"),
    "key": ("The key did not open the lock because the _ was {}.", "key", "lock", "bent", "rusty"),
    "car": ("The car could not pass the truck on the road because the _ was too {}.", "car", "truck", "slow", "fast"),
    "bed": ("She moved the sofa instead of the bed because the _ was {}.", "sofa", "bed", "light", "heavy"),
    "box": ("The gift did not fit into the box because the _ was too {}.", "gift", "box", "wide", "narrow"),
    "window": ("The stone hit the window and the _ {}.", "stone", "window", "bounced", "broke"),
    "house": ("He painted the wall with the brush until the _ was {}.", "wall", "brush", "white", "dirty"),
    "bread": ("Maria ate the bread but not the soup because the _ was {}.", "bread", "soup", "fresh", "cold"),
    "glass": ("I poured the water into the bottle until the _ was {}.", "water", "bottle", "gone", "full"),
    "knife": ("I cut the rope with the knife because the _ was {}.", "rope", "knife", "weak", "sharp"),
    "shirt": ("The coat costs more than the shirt because the _ is {}.", "coat", "shirt", "expensive", "cheap"),
    "chair": ("The cat lay on the rug and not on the chair because the _ was {}.", "rug", "chair", "soft", "hard"),
    "lamp": ("The lamp did not light the room because the _ was too {}.", "lamp", "room", "weak", "big"),
    "bridge": ("The train could not cross the bridge because the _ was too {}.", "train", "bridge", "heavy", "old"),
    "paper": ("The pencil broke the paper because the _ was too {}.", "pencil", "paper", "hard", "thin"),
    "phone": ("I bought the phone and not the camera because the _ was {}.", "phone", "camera", "cheap", "expensive"),
    "bag": ("The laptop did not fit into the bag because the _ was too {}.", "laptop", "bag", "big", "small"),
    "garden": ("We sold the house but kept the garden because the _ was {}.", "house", "garden", "ugly", "beautiful"),
    "movie": ("They liked the film more than the song because the _ was {}.", "film", "song", "interesting", "boring"),
    "door": ("The carpet blocked the door because the _ was too {}.", "carpet", "door", "thick", "low"),
    "pot": ("The pot melted on the stove because the _ was too {}.", "pot", "stove", "thin", "hot"),
    "ball": ("The ball broke the vase because the _ was {}.", "ball", "vase", "hard", "fragile"),
    "boat": ("The boat hit the rock and the _ {}.", "boat", "rock", "sank", "remained"),
    # Each of these is rejected by a filter on the English sentence.
    "animate": ("The teacher called the student because the _ was {}.", "teacher", "student", "worried", "absent"),
    "name": ("Anna called Maria because _ was {}.", "Anna", "Maria", "worried", "ill"),
    "plural": ("The shoes did not go with the shirt because the _ was {}.", "shoes", "shirt", "red", "blue"),
    "activity": ("I prefer swimming to running because the _ is {}.", "swimming", "running", "easy", "hard"),
    "compound": ("The book lay in the box because the _ shelf was {}.", "book", "box", "full", "empty"),
    "possessive": ("The book lay in the box because the _'s cover was {}.", "book", "box", "torn", "open"),
    "adjective": ("The book lay in the box because the old _ was {}.", "book", "box", "torn", "open"),
    "object": ("The book lay in the box because he {} the _.", "book", "box", "read", "opened"),
    "sentences": ("The book lay in the box. It rained. The _ was {}.", "book", "box", "open", "empty"),
}  # fmt: skip
FILTERED = (
    "animate",
    "name",
    "plural",
    "activity",
    "compound",
    "possessive",
    "adjective",
    "object",
    "sentences",
)


def records() -> list[dict[str, str]]:
    return [
        {
            "qID": f"{name}-{number}",
            "sentence": sentence.format(trigger),
            "option1": first,
            "option2": second,
            "answer": str(number),
        }
        for name, (sentence, first, second, *triggers) in SCHEMAS.items()
        for number, trigger in enumerate(triggers, start=1)
    ]


def write_schemas(path: Path) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records()), encoding="utf-8")
    return path
