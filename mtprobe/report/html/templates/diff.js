// The words in which a text differs from another one, as report/runs/word_diff.py finds them.
const PUNCTUATION = "!-\\/:-@\\[-`{-~¡-¿‐-‧‹›⁇-⁉、。「」『』！（），：；？";
const ALONE = "\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff"; // scripts without spaces
const TOKEN = new RegExp(`\\s+|[${ALONE}${PUNCTUATION}]|[^\\s${ALONE}${PUNCTUATION}]+`, "gu");
const MOST_TOKENS = 400; // comparing takes their square
const SIGNS = /^[ \t\n.,;:!?…。、！？]*$/;

// The text in parts, each with whether the other one lacks it. Texts without a common word have none: all is new.
function differing(text, other) {
  const [tokens, others] = [text, other].map((one) => one.match(TOKEN) ?? []);
  const plain = text ? [[text, false]] : [];
  if (text === other || Math.max(tokens.length, others.length) > MOST_TOKENS) return plain;
  const marks = unmatched(tokens, others);
  if (!tokens.some((token, place) => !marks[place] && !SIGNS.test(token))) return plain;
  tokens.forEach((token, place) => {
    const inside = place > 0 && place < tokens.length - 1;
    if (inside && !token.trim()) marks[place] = marks[place - 1] && marks[place + 1];
  });
  const parts = [];
  tokens.forEach((token, place) => {
    const last = parts.at(-1);
    if (last && last[1] === marks[place]) last[0] += token;
    else parts.push([token, marks[place]]);
  });
  return parts;
}

// Whether each token is outside the longest common subsequence.
function unmatched(tokens, others) {
  const width = others.length + 1;
  const lengths = new Uint16Array((tokens.length + 1) * width);
  for (let row = tokens.length - 1; row >= 0; row -= 1)
    for (let column = others.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        tokens[row] === others[column] ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
    }
  const marks = tokens.map(() => true);
  for (let row = 0, column = 0; row < tokens.length && column < others.length; ) {
    const at = row * width + column;
    if (tokens[row] === others[column]) {
      marks[row] = false;
      row += 1;
      column += 1;
    } else if (lengths[at + width] >= lengths[at + 1]) row += 1;
    else column += 1;
  }
  return marks;
}
