"use strict";
// The samples of the page, in blocks (base64 of deflated JSON) that are decoded on demand.
const PACKED = new Map();
for (const element of document.querySelectorAll("script[data-block]")) PACKED.set(element.dataset.block, element);

async function unpack(name) {
  const element = PACKED.get(name);
  const signs = atob(element.textContent);
  element.remove(); // decoded data need not be kept twice
  const bytes = new Uint8Array(signs.length);
  for (let place = 0; place < signs.length; place += 1) bytes[place] = signs.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

// The offsets of each row's values in a flat column.
function starts(counts) {
  const found = new Uint32Array(counts.length + 1);
  counts.forEach((count, row) => (found[row + 1] = found[row] + count));
  return found;
}

class Data {
  static async open() {
    const data = new Data();
    Object.assign(data, await unpack("head"));
    data.first = starts(data.runs.map((run) => run.n));
    data.total = data.first[data.runs.length];
    data.runOf = new Uint16Array(data.total);
    data.runs.forEach((run, number) => data.runOf.fill(number, data.first[number], data.first[number + 1]));
    data.opening = new Map();
    data.opened = new Map();
    return data;
  }

  // The two blocks with a row's texts.
  names(index) {
    const run = this.runOf[index];
    const place = Math.floor((index - this.first[run]) / this.rows);
    return [`sheet-${this.runs[run].sheet}-${place}`, `answers-${run}-${place}`];
  }

  isOpen(index) {
    return this.names(index).every((name) => this.opened.has(name));
  }

  async load(index) {
    await Promise.all(this.names(index).map((name) => this.block(name)));
  }

  block(name) {
    if (!this.opening.has(name)) {
      const opened = unpack(name).then((block) => {
        if (name.startsWith("sheet")) block.pieceAt = starts(block.pieces);
        this.opened.set(name, block);
      });
      this.opening.set(name, opened);
    }
    return this.opening.get(name);
  }

  // A row's texts, once its blocks are decoded.
  sample(index) {
    const [sheet, answers] = this.names(index).map((name) => this.opened.get(name));
    const run = this.runOf[index];
    const row = (index - this.first[run]) % this.rows;
    const column = (name) => this.columns[name][index];
    return {
      index,
      run: this.runs[run],
      runNumber: run,
      row,
      sheet,
      answers,
      id: sheet.id[row],
      source: sheet.source[row],
      context: sheet.context?.[row] ?? "", // the sentences before the source
      focus: [sheet.from[row], sheet.to[row]],
      where: `${this.paths[sheet.path[row]]}:${sheet.line[row]}`,
      translation: answers.translation[row],
      compared: answers.compared[row] ?? [],
      reason: answers.reasons[answers.reason[row]],
      choice: answers.choices[answers.choice[row]],
      said: answers.by ? answers.said[answers.by[row]] : [],
      outcome: this.outcomes[column("outcome")],
      category: column("category") === null ? null : this.categories[column("category")],
      attributes: this.combinations[column("attributes")],
      p: column("p"),
      margin: column("margin"),
    };
  }

  // The same sample in the runs of other models that are judged by the same method.
  byOthers(index) {
    const run = this.runOf[index];
    const place = index - this.first[run];
    return this.runs.flatMap(({ sheet }, other) =>
      other !== run && sheet === this.runs[run].sheet ? [this.first[other] + place] : [],
    );
  }

  // The evidence: for the right or the chosen reading first, the best of each side first.
  evidence(sample) {
    const { sheet, answers, row } = sample;
    const pieces = answers.own[row] ? ownPieces(answers.own[row]) : this.sharedPieces(sample);
    const scored = answers.tokens[row] ?? [];
    pieces.forEach((piece, place) => (piece.tokens = scored[place] ?? []));
    const first = sample.choice || "correct";
    pieces.sort(
      (one, other) =>
        (one.side !== first) - (other.side !== first) ||
        (one.side < other.side ? -1 : one.side > other.side ? 1 : 0) ||
        (other.score ?? 0) - (one.score ?? 0),
    );
    const score = answers.itself[row];
    if (score !== null) {
      const [text, tokens] = [sample.translation ?? "", scored[pieces.length] ?? []];
      pieces.push({ side: "translation", text, score, offset: 0, variant: [], tokens });
    }
    return pieces;
  }

  sharedPieces({ sheet, answers, row, source }) {
    if (!answers.scored[row]) return [];
    answers.scoreAt ??= starts(sheet.pieces.map((count, place) => count * answers.scored[place]));
    const offsets = answers.offsets[row];
    const pieces = [];
    let before = source;
    for (let place = sheet.pieceAt[row]; place < sheet.pieceAt[row + 1]; place += 1) {
      const number = pieces.length;
      const tail = before.length - sheet.end[place];
      before = before.slice(0, sheet.start[place]) + sheet.middle[place] + before.slice(tail);
      pieces.push({
        side: sheet.sides[sheet.side[place]],
        text: before,
        score: answers.scores[answers.scoreAt[row] + number],
        offset: offsets ? offsets[number] : 0,
        variant: sheet.variants[sheet.variant[place]],
      });
    }
    return pieces;
  }
}

function ownPieces(written) {
  return written.map(([side, text, score, offset, variant]) => ({ side, text, score, offset, variant }));
}
