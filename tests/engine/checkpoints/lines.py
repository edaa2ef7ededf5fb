"""Lines in eight languages for training small vocabularies, and texts that are difficult for tokenizers."""

from __future__ import annotations

from itertools import product

_HALVES = {
    "en": (
        "The doctor, Our neighbour, A young teacher, The old farmer, My sister, The engineer",
        "has finished the work., reads a long letter., was not at home yesterday., wants to buy bread., "
        "knows the way to the station., is waiting for an answer.",
    ),
    "de": (
        "Die Ärztin, Unser Nachbar, Ein junger Lehrer, Der alte Bäcker, Meine Schwester, Der Ingenieur",
        "hat die Arbeit beendet., liest einen langen Brief., war gestern nicht zu Hause., möchte Brötchen "
        "kaufen., weiß den Weg zur Straße., wartet größtenteils auf Antwort.",
    ),
    "pt": (
        "A médica, O nosso vizinho, Um jovem professor, O velho agricultor, A minha irmã, O engenheiro",
        "terminou o trabalho., lê uma longa carta., não estava em casa ontem., quer comprar pão., conhece o "
        "caminho para a estação., está à espera de uma resposta.",
    ),
    "ru": (
        "Врач, Наш сосед, Молодой учитель, Старый фермер, Моя сестра, Инженер",
        "закончил работу., читает длинное письмо., вчера не был дома., хочет купить хлеб., знает дорогу на "
        "вокзал., ждёт ответа.",
    ),
    "zh": (
        "医生, 我们的邻居, 一位年轻的老师, 老农民, 我的妹妹, 工程师",
        "完成了工作。, 在读一封长信。, 昨天不在家。, 想买面包。, 知道去车站的路。, 正在等待答复。",
    ),
    "ar": (
        "الطبيبة, جارنا, معلم شاب, المزارع العجوز, أختي, المهندس",
        "أنهى العمل., يقرأ رسالة طويلة., لم يكن في البيت أمس., يريد شراء الخبز., يعرف الطريق إلى المحطة., "
        "ينتظر الجواب.",
    ),
    "hi": (
        "डॉक्टर, हमारा पड़ोसी, एक युवा शिक्षक, बूढ़ा किसान, मेरी बहन, इंजीनियर",
        "ने काम पूरा किया।, एक लंबा पत्र पढ़ता है।, कल घर पर नहीं था।, रोटी खरीदना चाहता है।, रास्ता जानता है।, "
        "उत्तर की प्रतीक्षा में है।",
    ),
    "cs": (
        "Lékařka, Náš soused, Mladý učitel, Starý zemědělec, Moje sestra, Inženýr",
        "dokončil práci., čte dlouhý dopis., včera nebyl doma., chce koupit chléb., zná cestu na nádraží., "
        "čeká na odpověď.",
    ),
}


def lines(*languages: str) -> list[str]:
    """36 sentences per language; by default in all languages."""
    chosen = languages or tuple(_HALVES)
    return [
        f"{who} {what}"
        for language in chosen
        for who, what in product(*(half.split(", ") for half in _HALVES[language]))
    ]


TEXTS = [
    *(
        "Die Ärztin weiß größtenteils den Weg.",
        "ÄÖÜ äöü ß ẞ",
        "Врач ждёт ответа, но не дома.",
        "医生完成了工作。知道吗？",
    ),
    *(
        "الطبيبة أنهى العمل، أليس كذلك؟",
        "शिक्षक पत्र पढ़ता है।",
        "🙂 a 👩🏽‍⚕️ nurse 🇵🇹 and ❤️",
        "Z͑͆ä̈ e\u0301 é n\u0303 o\u0308\u0323",
    ),
    *(
        "",
        " ",
        "   ",
        "\t",
        "\n",
        " two  spaces   and\ttabs \t in\r\nlines ",
        "no-break\u00a0space\u2009thin\u200bzero",
    ),
    *(
        "<unk>",
        "</s>",
        "a </s> b",
        "an<unk>known",
        "<s><pad></s>",
        "x <pad> y",
        "a  <mask>  b",
        "< /s > <UNK> </S>",
    ),
    *(">>pt<<", ">>pt<< The doctor", ">>pt<<The doctor", "The >>pt<< doctor", ">>xx<< The doctor", ">> open"),
    *(
        ">><< empty",
        "</s>>>pt<< behind",
        "__pt__ The doctor",
        "__pt__",
        "en_XX de_DE The",
        "eng_Latn The deu_Latn",
    ),
    *(
        "▁The ▁ doctor",
        "The_doctor",
        "ｆｕｌｌ ｗｉｄｔｈ １２３",
        "ﬁne ½ ² № ™ …",
        "e.g. 3.14 , 1,000 ? ! 's n't",
    ),
    *(
        "soft\u00adhyphen \u200fright\u200e left \ufeff bom",
        "nul\x00 bell\x07 esc\x1b",
        "\U0001f9ff\U000e0067 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈",
    ),
    *(
        "ὕαλον ϕαγεῖν δύναμαι",
        "日本語のテキスト",
        "한국어 문장",
        "ภาษาไทย",
        "Tiếng Việt",
        "İstanbul ıi",
        "ǅ ŉ",
    ),
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 3,
    " ".join(lines("en", "de", "ru"))[:3000],
]
"""The last of them has more than 500 tokens with every vocabulary here."""
