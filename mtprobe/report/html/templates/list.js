// A list of any length of which only the visible part is in the page. All rows have the same height.
const TALLEST = 15e6; // pixels: browsers render nothing further down

class LongList {
  constructor(element, draw, chosen) {
    this.element = element;
    this.draw = draw; // renders the row at a position
    this.chosen = chosen; // is called with the chosen position
    this.canvas = element.firstElementChild;
    this.count = 0;
    this.active = -1;
    this.rows = new Map();
    element.addEventListener("scroll", () => this.later(), { passive: true });
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("click", (event) => {
      const row = event.target.closest("[data-place]");
      if (row) this.choose(Number(row.dataset.place));
    });
    new ResizeObserver(() => this.later()).observe(element);
  }

  show(count, active = -1) {
    this.count = count;
    this.active = active;
    this.clear();
    this.height ??= this.measured();
    const whole = count * this.height;
    const room = Math.min(whole, TALLEST);
    this.canvas.style.height = `${room}px`;
    // With more rows than fit, the list scrolls faster than the bar.
    const view = this.element.clientHeight;
    this.pace = whole > room ? (whole - view) / (room - view) : 1;
    if (active >= 0) this.reveal(active);
    else this.element.scrollTop = 0;
    this.redraw();
  }

  measured() {
    const probe = document.getElementById("sample-row").content.firstElementChild.cloneNode(true);
    this.canvas.append(probe);
    const { height } = probe.getBoundingClientRect();
    probe.remove();
    return height || 64;
  }

  clear() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
  }

  later() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.redraw();
    });
  }

  redraw() {
    const top = this.element.scrollTop;
    const above = top * this.pace; // pixels of rows above the view
    const first = Math.max(0, Math.floor(above / this.height) - 4);
    const last = Math.min(this.count, Math.ceil((above + this.element.clientHeight) / this.height) + 4);
    for (const [place, row] of this.rows) {
      if (place < first || place >= last || row.dataset.waiting) {
        row.remove();
        this.rows.delete(place);
      }
    }
    for (let place = first; place < last; place += 1) {
      let row = this.rows.get(place);
      if (!row) {
        row = this.draw(place);
        row.dataset.place = place;
        row.id = `sample-${place}`;
        row.setAttribute("aria-posinset", place + 1);
        row.setAttribute("aria-setsize", this.count);
        this.rows.set(place, row);
        this.canvas.append(row);
      }
      row.style.top = `${place * this.height - above + top}px`;
      row.setAttribute("aria-selected", place === this.active);
    }
    if (this.rows.has(this.active)) this.element.setAttribute("aria-activedescendant", `sample-${this.active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  reveal(place) {
    const above = this.element.scrollTop * this.pace;
    const view = this.element.clientHeight;
    if (place * this.height < above) this.element.scrollTop = (place * this.height) / this.pace;
    else if ((place + 1) * this.height > above + view)
      this.element.scrollTop = ((place + 1) * this.height - view) / this.pace;
  }

  choose(place) {
    this.active = Math.max(0, Math.min(this.count - 1, place));
    if (this.active < 0) return;
    this.reveal(this.active);
    this.redraw();
    this.chosen(this.active);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.count) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const to = {
      ArrowDown: this.active + 1,
      ArrowUp: Math.max(0, this.active - 1),
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.count - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(to);
  }
}
