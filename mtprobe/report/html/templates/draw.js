// Makes pieces of the page. Texts from outside become text nodes, never markup.
const CONTROLS =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/;

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

// A text with visible stand-ins for control characters.
function visible(text) {
  return String(text)
    .split(CONTROLS)
    .map((part, odd) => (odd % 2 ? make("span", { class: "control" }, named(part)) : part));
}

function named(sign) {
  return `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

function name(text) {
  return make("bdi", {}, visible(text));
}

function copy(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

function marked(text, [start, end], lang) {
  const focus = end > start ? [make("mark", {}, visible(text.slice(start, end)))] : [];
  const pieces = [...visible(text.slice(0, start)), ...focus, ...visible(text.slice(end))];
  return make("span", { class: "text", lang, dir: "auto" }, pieces);
}

// A translation in which the words that were compared stand out, if not all of them were.
function translated({ translation, compared, run }) {
  if (translation) return make("span", { class: "text", lang: run.target, dir: "auto" }, highlighted(translation, compared));
  return make("span", { class: "text missing" }, translation === null ? "no translation" : "nothing");
}

function highlighted(text, places) {
  const pieces = [];
  let at = 0;
  for (let place = 0; place + 1 < places.length; place += 2) {
    const [start, end] = places.slice(place, place + 2);
    pieces.push(...visible(text.slice(at, start)), make("mark", {}, visible(text.slice(start, end))));
    at = end;
  }
  return [...pieces, ...visible(text.slice(at))];
}

function category({ category: held, choice }) {
  if (held === null) return [];
  return [make("span", { class: "category" }, name(held), choice ? [" → ", name(choice)] : [])];
}

// The probability of the right reading as a bar from the middle; or the margin, if a method gives no probability.
function probability({ p, margin, outcome }) {
  if (p === null) return margin === null ? [] : [make("span", { class: "p" }, signed(margin))];
  const bar = copy("p-bar");
  bar.setAttribute("class", `p-bar ${outcome === "open" ? "open" : p >= 500 ? "right" : "wrong"}`);
  bar.querySelector("rect").setAttribute("x", Math.min(p, 500) * 0.08);
  bar.querySelector("rect").setAttribute("width", Math.abs(p - 500) * 0.08);
  return [make("span", { class: "p" }, make("span", { "aria-hidden": "true" }, "p "), (p / 1000).toFixed(3)), bar];
}

function signed(thousandths) {
  return (thousandths < 0 ? "−" : "+") + (Math.abs(thousandths) / 1000).toFixed(3);
}

function readingOf(side) {
  if (side === "translation") return ["its own translation"];
  if (side === "reference") return ["a good translation"];
  return { correct: ["the right reading"], incorrect: ["the wrong reading"] }[side] ?? [name(side)];
}

// A contrastive source in which the words that differ from the source stand out.
function contrasted(text, source) {
  let start = 0;
  while (start < Math.min(text.length, source.length) && text[start] === source[start]) start += 1;
  let end = 0;
  const room = Math.min(text.length, source.length) - start;
  while (end < room && text[text.length - 1 - end] === source[source.length - 1 - end]) end += 1;
  let stop = text.length - end;
  while (start > 0 && text[start - 1] !== " " && text[start] !== " ") start -= 1; // whole words
  while (stop < text.length && text[stop - 1] !== " " && text[stop] !== " ") stop += 1;
  if (stop > start && text[stop - 1] === " ") stop -= 1;
  const differs = text.slice(start, stop);
  return [...visible(text.slice(0, start)), ...(differs ? [make("b", {}, visible(differs))] : []), ...visible(text.slice(stop))];
}

// What other models made of a sample, with the words in which they differ from its translation.
function otherModels(sample, others) {
  if (!others.length) return [];
  const versions = others.map((other) => {
    const pieces = differing(other.translation ?? "", sample.translation ?? "").map(([text, differs]) =>
      differs ? make("em", { class: "differs" }, visible(text)) : visible(text),
    );
    const missing = make("span", { class: "text missing" }, "nothing");
    const text = pieces.length ? make("span", { class: "text", lang: other.run.target, dir: "auto" }, pieces.flat()) : missing;
    return make("p", { class: "version" }, make("span", { class: "by" }, name(other.run.model)), copy(`badge-${other.outcome}`), text);
  });
  return [make("h4", {}, others.length === 1 ? "The other model" : "Other models"), make("div", { class: "versions" }, versions)];
}

const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u; // there a token is a word

// A text whose words are shaded by how unlikely they are: a word's log-probability is the sum of its tokens'.
function shaded(text, tokens) {
  const words = [];
  for (let place = 0; place < tokens.length; place += 3) {
    const [start, end, value] = tokens.slice(place, place + 3);
    const last = words.at(-1);
    if (start === end) continue; // the end of the sentence
    if (last && start <= last.end && !WITHOUT_SPACES.test(text.slice(start, end))) [last.end, last.value] = [Math.max(last.end, end), last.value + value];
    else words.push({ start, end, value });
  }
  const pieces = [];
  let at = 0;
  for (const { start, end, value } of words) {
    const level = Math.min(8, Math.round(-value / 60));
    const spoken = `log-probability ${signed(value * 10)}`;
    const attributes = { class: `word unlikely${level}`, title: spoken };
    pieces.push(...visible(text.slice(at, start)), make("span", attributes, visible(text.slice(start, end))));
    at = end;
  }
  return [...pieces, ...visible(text.slice(at))];
}

// The words whose log-probabilities a score is the mean of: of the target itself, or of the translation.
function scoredWords(piece, sample) {
  if (!piece.tokens.length) return [];
  const { run } = sample;
  const text = run.reads === "source" ? (sample.translation ?? "") : piece.text;
  return [make("p", { class: "words", lang: run.target, dir: "auto" }, shaded(text, piece.tokens))];
}

function evidenceTable(pieces, sample) {
  const { run, source } = sample;
  const scored = pieces.some((piece) => piece.score !== null);
  const rows = pieces.map((piece) => {
    const kind = { correct: "right", incorrect: "wrong" }[piece.side] ?? "open";
    const contrasts = run.reads === "source" && piece.score !== null; // a combined method also cites the translation
    const lang = contrasts ? run.source : run.target;
    const plain = piece.tokens.length ? [] : visible(piece.text); // shaded words say it too
    const text = contrasts ? contrasted(piece.text, source) : plain;
    const variant = piece.variant.map(([key, value]) => `${key}: ${value}`).join(", ");
    const score = [piece.score === null ? "–" : signed(piece.score)];
    if (piece.offset) score.push(make("small", {}, `less ${signed(piece.offset * 1000)}`));
    return make(
      "tr",
      { class: kind },
      make("td", {}, readingOf(piece.side)),
      scored ? make("td", { class: "number" }, score) : [],
      make("td", { lang, dir: "auto" }, text, variant ? make("small", {}, visible(variant)) : [], scoredWords(piece, sample)),
    );
  });
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, "Speaks for"),
    scored ? make("th", { scope: "col", class: "number" }, "Score") : [],
    make("th", { scope: "col" }, "Text"),
  );
  return make("table", { class: "evidence" }, make("thead", {}, head), make("tbody", {}, rows));
}
