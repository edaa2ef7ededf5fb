"use strict";
// A label sheet: one sample at a time, labelled by keys or buttons, kept in the browser and exported as a label file.
const element = (id) => document.getElementById(id);
const packed = element("sheet");
const bytes = Uint8Array.from(atob(packed.textContent), (sign) => sign.charCodeAt(0));
const sheet = JSON.parse(new TextDecoder().decode(bytes));
const KEPT = `mtprobe-labels-${packed.dataset.name}`;
const LABEL = sheet.columns.indexOf("label");
const BY = sheet.columns.indexOf("labelled_by");

// Browsers may refuse to keep anything for a file; then labels last as long as the page.
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || {};
  } catch {
    return {};
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ labels, by: element("by").value, at }));
  } catch {
    // as above
  }
}

const before = kept();
const labels = sheet.samples.map((sample, place) => (before.labels && before.labels[place]) || sample.label);
let at = Math.min(before.at || 0, sheet.samples.length - 1);
element("by").value = before.by || "";

function marked(parts) {
  const [start, focus, end] = parts;
  const mark = document.createElement("mark");
  mark.textContent = focus;
  return focus ? [start, mark, end] : [start + end];
}

function answerButton(answer, number) {
  const button = document.createElement("button");
  const key = document.createElement("kbd");
  key.textContent = String(number + 1);
  button.type = "button";
  button.append(key, ` ${answer}`);
  button.setAttribute("aria-pressed", String(labels[at] === answer));
  button.addEventListener("click", () => label(answer));
  return button;
}

function show() {
  const sample = sheet.samples[at];
  element("place").textContent = `Sample ${at + 1} of ${sheet.samples.length}`;
  element("source").replaceChildren(...marked(sample.source));
  element("translation").textContent = sample.translation || "(empty)";
  element("translation").classList.toggle("empty", !sample.translation);
  element("category").textContent = sample.category || "–";
  element("answers").replaceChildren(...sample.answers.map(answerButton));
  const done = labels.filter(Boolean).length;
  element("progress").textContent = `${done} of ${labels.length} labelled`;
}

function move(to) {
  at = Math.max(0, Math.min(sheet.samples.length - 1, to));
  keep();
  show();
}

function label(answer) {
  labels[at] = answer;
  move(answer ? at + 1 : at);
}

function nextOpen() {
  const places = labels.map((_, step) => (at + 1 + step) % labels.length);
  const open = places.find((place) => !labels[place]);
  if (open !== undefined) move(open);
}

// Cells come escaped; only the name is written here.
function cell(text) {
  const plain = text.replace(/[\u0000-\u001f\u007f\\]+/g, " ").trim();
  return /^[=+\-@]/.test(plain) ? `'${plain}` : plain;
}

function exported() {
  const name = cell(element("by").value);
  const lines = sheet.samples.map((sample, place) => {
    const cells = [...sample.cells];
    const changed = labels[place] !== sample.label;
    cells[LABEL] = labels[place];
    cells[BY] = labels[place] ? (changed ? name : cell(sample.by)) : "";
    return cells.join("\t");
  });
  return [sheet.columns.join("\t"), ...lines, ""].join("\n");
}

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([exported()], { type: "text/tab-separated-values" }));
  link.download = sheet.file;
  link.click();
  URL.revokeObjectURL(link.href);
}

function pressed(event) {
  if (event.target === element("by") || event.ctrlKey || event.metaKey || event.altKey) return;
  const answers = sheet.samples[at].answers;
  const number = Number(event.key);
  if (event.key !== " " && number >= 1 && number <= answers.length) label(answers[number - 1]);
  else if (event.key === "0") label("");
  else if (event.key === "ArrowLeft") move(at - 1);
  else if (event.key === "ArrowRight") move(at + 1);
  else if (event.key === "n") nextOpen();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", pressed);
element("back").addEventListener("click", () => move(at - 1));
element("next").addEventListener("click", () => move(at + 1));
element("open").addEventListener("click", nextOpen);
element("clear").addEventListener("click", () => label(""));
element("export").addEventListener("click", save);
element("by").addEventListener("change", keep);
show();
