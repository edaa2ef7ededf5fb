"use strict";
// Filters the samples of each suite. Without it the page shows all of them.
for (const samples of document.querySelectorAll("[data-samples]")) {
  const rows = Array.from(samples.querySelectorAll("ol > li"));
  const texts = new Map();
  const filter = samples.querySelector(".filter");
  const [outcome, category, text] = ["outcome", "category", "text"].map((name) =>
    filter.querySelector(`[data-filter="${name}"]`),
  );
  const count = filter.querySelector("output");

  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLocaleLowerCase());
    return texts.get(row);
  };
  const wants = (select, value) => !select || !select.value || select.value === value;
  const apply = () => {
    const word = text.value.trim().toLocaleLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits =
        wants(outcome, row.dataset.outcome) &&
        wants(category, row.dataset.category) &&
        (!word || textOf(row).includes(word));
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
  };

  filter.addEventListener("input", apply);
  filter.hidden = false;
  apply(); // a browser may keep what was chosen before the page was loaded again
}
