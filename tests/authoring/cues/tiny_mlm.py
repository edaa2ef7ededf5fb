"""A small masked language model that a test trains itself, on text in which the right cues are known."""

from __future__ import annotations

from pathlib import Path

# For each word and sense: the words before it in that sense, and what follows it.
LANGUAGE = {
    "bank": {
        "river": (
            ["muddy", "grassy", "steep", "sandy"],
            ["was wet with water", "of the stream flooded", "had reeds and frogs"],
        ),
        "money": (
            ["savings", "central", "private", "Swiss"],
            ["gave us a loan", "raised its interest rates", "closed our account"],
        ),
    },
    "bat": {
        "animal": (
            ["furry", "flying", "sleepy", "hungry"],
            ["slept in the cave", "ate some insects", "hung from the roof"],
        ),
        "club": (
            ["wooden", "cricket", "broken", "heavy"],
            ["hit the ball", "cracked during the match", "belongs to the player"],
        ),
    },
}
EVERYWHERE = ["old", "big", "new", "other"]  # as probable before either sense

_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_STEPS, _TURNS = 300, 4


def sentences() -> list[tuple[str, str]]:
    """Sentences, each with the word before the ambiguous one. Half of them open with it, and with a capital."""
    made = []
    for word, senses in LANGUAGE.items():
        for cues, endings in senses.values():
            for ending in endings:
                for cue in cues + EVERYWHERE:
                    opening = cue[0].upper() + cue[1:]
                    made.append((f"the {cue} {word} {ending} .", cue))
                    made.append((f"{opening} {word} {ending} .", opening))
    return made


def vocabulary() -> list[str]:
    words = {word for text, _ in sentences() for word in text.split()}
    return [*_SPECIAL, *sorted(words), ",", "##s", "##land", "42", "дом"]


def make_tokenizer():
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import BertTokenizer

    vocab = {token: number for number, token in enumerate(vocabulary())}
    tokenizer = Tokenizer(WordPiece(vocab, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])]
    )
    return BertTokenizer(tokenizer_object=tokenizer, do_lower_case=False, model_max_length=64)


def train(folder: Path) -> Path:
    """Writes the model in the layout of transformers. It has learnt which words come before which sense."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    torch.manual_seed(0)
    tokenizer = make_tokenizer()
    model = BertForMaskedLM(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=64,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )
    text = sentences()
    masked = tokenizer(
        [sentence.replace(f"{cue} ", "[MASK] ", 1) for sentence, cue in text],
        padding=True,
        return_tensors="pt",
    )
    wanted = torch.tensor(tokenizer.convert_tokens_to_ids([cue for _, cue in text]))
    labels = torch.where(masked["input_ids"] == tokenizer.mask_token_id, wanted.unsqueeze(1), -100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    model.train()
    for step in range(_STEPS):
        rows = torch.arange(step % _TURNS, len(text), _TURNS)
        loss = model(
            input_ids=masked["input_ids"][rows],
            attention_mask=masked["attention_mask"][rows],
            labels=labels[rows],
        ).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
