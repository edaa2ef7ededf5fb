// The sample browser: filters, the list, one sample in full, and all of that in the address, so that views can be shared.
const FACETS = ["suite", "model", "method", "languages", "outcome", "category", "attribute", "confidence", "sort", "text"];
const ATTRIBUTE_VALUES = 30; // an attribute with more is not a group; the text field finds its values
const DEFAULTS = { sort: "worst" };
const QUARTERS = { surest: [750, 1000], sure: [500, 1000], doubtful: [0, 500], most: [0, 250] };

class Browser {
  constructor(data, section) {
    this.data = data;
    this.section = section;
    this.controls = Object.fromEntries(
      FACETS.map((facet) => [facet, section.querySelector(`[data-facet="${facet}"]`)]),
    );
    this.output = section.querySelector("output");
    this.detail = section.querySelector(".detail");
    this.matches = new Uint32Array(0);
    this.selected = null; // the row that is shown in full
    this.turn = 0;
    this.list = new LongList(
      section.querySelector("[role=listbox]"),
      (place) => this.row(place),
      (place) => this.open(this.matches[place]),
    );
    this.offer();
    section.querySelector(".filter").addEventListener("input", () => this.changed());
    section.querySelector("[data-reset]").addEventListener("click", () => {
      this.set({});
      this.changed();
    });
    this.list.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.selected !== null) this.detail.focus();
    });
    this.detail.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.list.element.focus();
    });
    window.addEventListener("hashchange", () => this.follow(true));
  }

  // -- what may be chosen --

  offer() {
    const { data } = this;
    this.perRun = {
      suite: data.runs.map((run) => run.suite),
      model: data.runs.map((run) => run.model),
      method: data.runs.map((run) => run.method),
      languages: data.runs.map((run) => `${run.source} → ${run.target}`),
    };
    for (const [facet, values] of Object.entries(this.perRun)) this.fill(facet, [...new Set(values)]);
    const held = new Set(data.columns.outcome);
    this.fill("outcome", data.outcomes.filter((_, place) => held.has(place)));
    this.fill("category", data.categories);
    this.offerAttributes();
    this.controls.confidence.closest("label").hidden = data.columns.sure.every((rank) => rank === null);
  }

  fill(facet, values) {
    const control = this.controls[facet];
    control.append(...values.map((value) => option(value, value)));
    control.closest("label").hidden = values.length < 2;
  }

  offerAttributes() {
    const values = new Map();
    for (const pairs of this.data.combinations)
      for (const [key, value] of pairs) values.set(key, (values.get(key) ?? new Set()).add(value));
    const groups = [...values].filter(([, held]) => held.size > 1 && held.size <= ATTRIBUTE_VALUES);
    for (const [key, held] of groups) {
      const group = make("optgroup", { label: plain(key) });
      const sorted = [...held].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
      group.append(...sorted.map((value) => option(JSON.stringify([key, value]), `${key}: ${value}`)));
      this.controls.attribute.append(group);
    }
    this.controls.attribute.closest("label").hidden = !groups.length;
  }

  // -- the state, in the controls and in the address --

  state() {
    const state = {};
    for (const facet of FACETS) {
      const { value } = this.controls[facet];
      if (value && value !== DEFAULTS[facet]) state[facet] = value;
    }
    return state;
  }

  set(state) {
    for (const facet of FACETS) this.controls[facet].value = state[facet] ?? DEFAULTS[facet] ?? "";
  }

  async remember() {
    const wanted = new URLSearchParams(this.state());
    if (this.selected !== null) {
      const sample = this.data.sample(this.selected);
      wanted.set("sample", `${sample.runNumber + 1}/${sample.id}`);
    }
    const written = wanted.toString();
    history.replaceState(null, "", written ? `#samples?${written}` : "#samples");
  }

  // Shows the view in the address.
  async follow(moved) {
    const found = /^#samples(?:\?(.*))?$/s.exec(location.hash);
    if (!found) return;
    const asked = Object.fromEntries(new URLSearchParams(found[1] ?? ""));
    this.set(asked);
    this.show(null);
    await this.apply();
    if (asked.sample) await this.find(asked.sample);
    this.section.scrollIntoView();
    if (moved) this.section.querySelector("h2").focus({ preventScroll: true });
  }

  async find(written) {
    const { data, turn } = this;
    const [, number, id] = /^(\d+)\/(.*)$/s.exec(written) ?? [];
    const run = Number(number) - 1;
    if (!data.runs[run]) return;
    for (let index = data.first[run]; index < data.first[run + 1]; index += data.rows) {
      await data.load(index);
      if (turn !== this.turn) return;
      const row = data.opened.get(data.names(index)[0]).id.indexOf(id);
      const place = row < 0 ? -1 : this.matches.indexOf(index + row);
      if (place >= 0) return this.list.choose(place);
    }
  }

  // -- filtering and sorting --

  changed() {
    clearTimeout(this.pause);
    this.pause = setTimeout(async () => {
      await this.apply();
      this.remember();
    }, 80);
  }

  async apply() {
    const turn = (this.turn += 1);
    const state = this.state();
    let found = this.filtered(state);
    if (state.text) found = await this.containing(found, state.text.trim().toLocaleLowerCase(), turn);
    if (turn !== this.turn) return;
    this.matches = this.sorted(found, state.sort ?? DEFAULTS.sort);
    const place = this.selected === null ? -1 : this.matches.indexOf(this.selected);
    if (place < 0) this.show(null);
    this.list.show(this.matches.length, place);
    this.tell(`${count(this.matches.length)} of ${count(this.data.total)} samples`);
  }

  tell(text) {
    this.output.textContent = text;
  }

  filtered(state) {
    const { columns, runs, runOf, outcomes, categories, combinations, total } = this.data;
    const inRuns = runs.map((_, run) =>
      Object.entries(this.perRun).every(([facet, values]) => !state[facet] || values[run] === state[facet]),
    );
    const outcome = state.outcome ? outcomes.indexOf(state.outcome) : null;
    const category = state.category ? categories.indexOf(state.category) : null;
    const [low, high] = QUARTERS[state.confidence] ?? [null, null];
    const [key, wanted] = parsed(state.attribute);
    const fits = combinations.map((pairs) => pairs.some(([name, value]) => name === key && value === wanted));
    const found = new Uint32Array(total);
    let size = 0;
    for (let index = 0; index < total; index += 1) {
      if (
        inRuns[runOf[index]] &&
        (outcome === null || columns.outcome[index] === outcome) &&
        (category === null || columns.category[index] === category) &&
        (key === undefined || fits[columns.attributes[index]]) &&
        (low === null || within(columns.sure[index], low, high))
      )
        found[size++] = index;
    }
    return found.subarray(0, size);
  }

  async containing(rows, word, turn) {
    const { data } = this;
    const found = [];
    let rested = performance.now();
    for (const index of rows) {
      if (!data.isOpen(index)) await data.load(index);
      if (performance.now() - rested > 30) {
        this.tell(`searching … ${count(found.length)} found`);
        await new Promise((resume) => setTimeout(resume));
        if (turn !== this.turn) return [];
        rested = performance.now();
      }
      const { id, source, translation, reason, attributes } = data.sample(index);
      const text = [id, source, translation, reason, ...attributes.map((pair) => pair.join(": "))].join("\n");
      if (text.toLocaleLowerCase().includes(word)) found.push(index);
    }
    return Uint32Array.from(found);
  }

  // Equal rows keep their order. Keys are small integers, so rows are sorted into buckets.
  sorted(rows, order) {
    const { outcome, sure } = this.data.columns;
    const correct = this.data.outcomes.indexOf("correct");
    const keys = {
      worst: (index) => outcome[index] * 1002 + (outcome[index] === correct ? (sure[index] ?? 1001) : 1001 - (sure[index] ?? 0)),
      surest: (index) => 1001 - (sure[index] ?? 0),
      doubtful: (index) => sure[index] ?? 1001,
    };
    const key = keys[order];
    if (!key) return rows;
    const piles = [];
    for (const index of rows) (piles[key(index)] ??= []).push(index);
    return Uint32Array.from(piles.flat());
  }

  // -- what is shown --

  row(place) {
    const index = this.matches[place];
    const row = copy("sample-row");
    if (!this.data.isOpen(index)) {
      row.dataset.waiting = "yes";
      this.data.load(index).then(() => this.list.later());
      return row;
    }
    const sample = this.data.sample(index);
    const [judged, source, translation, of, p] = ["judged", "source", "translation", "of", "probability"].map((kind) =>
      row.querySelector(`.${kind}`),
    );
    const { run } = sample;
    of.append(name(run.suite), " · ", name(run.model), " · ", name(run.method));
    judged.append(copy(`badge-${sample.outcome}`), ...category(sample));
    source.append(marked(sample.source, sample.focus, sample.run.source));
    translation.append(translated(sample));
    p.append(...probability(sample));
    return row;
  }

  async open(index) {
    await Promise.all([index, ...this.data.byOthers(index)].map((one) => this.data.load(one)));
    this.show(index);
    this.remember();
  }

  show(index) {
    this.selected = index;
    this.detail.replaceChildren();
    this.detail.hidden = index === null;
    if (index !== null) this.detail.append(...this.inFull(this.data.sample(index)));
  }

  inFull(sample) {
    const { run } = sample;
    const pieces = this.data.evidence(sample);
    const [by, ...opinions] = sample.said; // where methods are combined
    const decided = by ? [["Decided by", by]] : [];
    const said = opinions.length ? [["Opinions", opinions.join(", ")]] : [];
    const facts = [["Suite", run.suite], ["Model", run.model], ["Method", run.method], ...decided, ...said, ...sample.attributes];
    return [
      make("h3", { id: "sample-title" }, name(sample.id)),
      make("p", { class: "judged" }, copy(`badge-${sample.outcome}`), category(sample)),
      make("div", { class: "probability" }, probability(sample)),
      sample.context ? make("p", { class: "context" }, language(run.source), visible(sample.context)) : "",
      make("p", { class: "source" }, language(run.source), marked(sample.source, sample.focus, run.source)),
      make("p", { class: "translation" }, language(run.target), translated(sample)),
      sample.reason ? make("p", { class: "reason" }, visible(sample.reason)) : "",
      pieces.length ? evidenceTable(pieces, sample) : "",
      pieces.some((piece) => piece.tokens.length) ? copy("shades") : "",
      ...otherModels(sample, this.data.byOthers(sample.index).map((index) => this.data.sample(index))),
      make("dl", { class: "facts" }, facts.map(([key, value]) => fact(key, value))),
      make("p", { class: "where" }, visible(sample.where)),
    ];
  }
}

function language(code) {
  return make("span", { class: "language" }, visible(code));
}

function fact(key, value) {
  return make("div", {}, make("dt", {}, visible(key)), make("dd", {}, name(value)));
}

function option(value, label) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = plain(label);
  return made;
}

function plain(text) {
  return visible(text)
    .map((part) => part.textContent ?? part)
    .join("");
}

function parsed(attribute) {
  try {
    const found = JSON.parse(attribute ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // an address may hold anything
  }
}

function within(rank, low, high) {
  return rank !== null && rank >= low && rank <= high;
}

function count(number) {
  return number.toLocaleString("en");
}

const section = document.getElementById("samples");
if (section && typeof DecompressionStream === "function") {
  Data.open().then((data) => {
    const browser = new Browser(data, section.closest("section"));
    browser.section.querySelector(".browser").hidden = false;
    browser.apply().then(() => browser.follow(false));
  });
} else if (section) {
  section.closest("section").querySelector(".too-old").hidden = false;
}
