"""What a source itself talks about, in the languages with most speakers: then its translation may talk about it, too.

Stems, not words: one that is found too often costs a missed sign of chatter; one that is missing, a false alarm.
"""

from __future__ import annotations

import re

TRANSLATING = re.compile(
    r"translat|tradu[czi]|trasl|übersetz|uebersetz|vertal|vertaal|översätt|översatt|oversett|oversæt|oversat|þýð|käänn|käänt"
    r"|tõlk|tulko|tulki|išver|fordít|tłumacz|przeł|překl|přelož|preklad|prelož|prevod|prevest|prevođ|prijevod|перев[оеё]"
    r"|перекла|превод|превед|çevir|tərcümə|terjemah|dịch|tafsiri|μετ[αά]φρ|თარგმ|թարգմ|ترج|תרג|अनुवाद|অনুবাদ|แปล"
    r"|[翻][译譯訳]|[译譯訳]|번역|통역",
    re.IGNORECASE,
)
_MODELS = (
    r"\bA\.?I\b|\bI\.?A\b|\bKI\b|\bИИ\b|\bSI\b|artifici|künstlich|kunstmat|искусствен|人工|智能|知能|인공|اصطناعي|מלאכותית"
    r"|language model|sprachmodell|modèle de lang|modelo de l|modelo lin|modello ling|taalmodel|языков|语言模型|言語モデル"
)
_HELPING = (
    r"help|assist|hilf|helf|half|holf|unterstütz|dien(?:en|lich|st)|\baid|ayud|ajud|ajut|aiut|auxili|soccor|secour|sout(?:e|ie)n|apoi"
    r"|apoy|hulp|hjälp|hjelp|hjælp|auta|avust|segít|pomo[cćgžz]|pomó|pomáh|wspiera|помо|допом|помаг|yardım|bantu|tolong|giúp|msaada"
    r"|βοηθ|ساعد|عون|עזר|עזור|मदद|सहाय|সাহায্য|ช่วย|[帮幫助]|手伝|도와|도움|돕"
)
_REQUESTS = (
    r"request|demand|anfrage|anfo|bitte|antrag|wunsch|anliegen|verlang|requête|solicit|pedido|petici|petizi|richiest|verzoek|aanvra"
    r"|begär|förfrå|forespørsel|anmod|pyyn|pyynt|kérés|kérel|žádost|požadav|zahtev|zahtjev|prośb|żądan|wniosek|wniosk|запрос|просьб"
    r"|прошен|запит|молб|talep|istek|isteğ|permintaan|yêu cầu|ombi|αίτη|αίτημ|طلب|בקש|अनुरोध|অনুরোধ|คำขอ|[请請][求]|要求|リクエスト|依頼|요청"
    r"|process|trait|bearbeit|verarbeit|elabor|verwerk|обраб|przetw|zpracov|işle|[处處処]理|처리"
)
ASKED = re.compile("|".join((TRANSLATING.pattern, _MODELS, _HELPING, _REQUESTS)), re.IGNORECASE)
"""Translating, helping, requests, or language models: what refusals talk about."""
