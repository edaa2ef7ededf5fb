"""Models for the golden runs: they know a few sentences, and are wrong in ways that are known beforehand."""

NOUNS = {
    "doctor": ("médico", "médica"),
    "lawyer": ("advogado", "advogada"),
    "writer": ("escritor", "escritora"),
    "dancer": ("dançarino", "dançarina"),
}
WORDS = {
    "whiskey": "Ele serviu-se de um tiro de uísque depois da longa reunião.",
    "river": "Eles caminharam ao longo do banco do rio até ficar escuro.",
    "robber": "O ladrão disparou um tiro contra a porta da casa velha.",
    "starter": "Comemos uma sopa leve como prato antes de chegar o peixe.",
    "notice": "Ela afixou um aviso na porta da escola antes das férias.",
}


class Toy:
    """Translates the sentences of the golden suites; `woman` says of a source whom it makes of the person."""

    def __init__(self, name, woman, leaning=0.0):
        self.fingerprint, self.woman, self.leaning = name, woman, leaning

    def __call__(self, sources):
        return [self.one(source) for source in sources]

    def one(self, source):
        for word, text in WORDS.items():
            if word in source:
                return text
        noun = next(word for word in NOUNS if word in source)
        form, article = NOUNS[noun][self.woman(source)], "A" if self.woman(source) else "O"
        if "umbrella" in source:
            return f"{article} {form} esqueceu o guarda-chuva no escritório."
        if "shift" in source:
            return f"{article} {form} terminou o turno antes que os outros chegassem."
        return f"{article} {form} vendeu a casa perto do antigo porto da cidade."

    def score(self, pairs):
        return [self.likelihood(*pair) for pair in pairs]

    def likelihood(self, source, target):
        """A cue is understood; without one the model believes what it would have said itself."""
        cued = " woman " in source
        woman = cued if cued or " man " in source else self.woman(source)
        fits = woman == target.startswith("A ")
        own = target.endswith(("chegassem.", "cidade."))
        each = -0.4 - 0.5 * (not fits) - self.leaning * cued + 0.2 * own - 0.01 * (len(source) % 7)
        return (*[each] * len(target.split()), -0.1)


class Silent(Toy):
    """Gives back some sentences as they are, and nothing for others."""

    def one(self, source):
        if "dancer" in source:
            return source
        return "" if "writer" in source else super().one(source)


def _her(source):
    return " her " in source


def _her_if_usual(source):
    return " her " in source and any(noun in source for noun in ("writer", "dancer"))


fair = Toy("fair", _her)
cliche = Toy("cliche", _her_if_usual, leaning=0.7)
silent = Silent("silent", _her_if_usual)
