// Folded parts: links into them and printing open them. The index shows where the reader is.
const contents = document.querySelector("nav.contents");

function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
unfold();

contents.addEventListener("click", (event) => {
  if (event.target.closest("a")) contents.firstElementChild.open = false; // it covers what was chosen, on a narrow screen
});

let unfolded = [];
window.addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("main details:not([open])")];
  for (const fold of unfolded) fold.open = true;
});
window.addEventListener("afterprint", () => {
  for (const fold of unfolded) fold.open = false;
});

const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
const inView = new Set();
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
    const first = [...inView].sort((one, other) => one.offsetTop - other.offsetTop)[0];
    for (const [id, link] of links)
      if (first?.getAttribute("aria-labelledby") === id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
  },
  { rootMargin: "-10% 0px -60% 0px" },
);
for (const section of document.querySelectorAll("main > section"))
  if (links.has(section.getAttribute("aria-labelledby"))) watcher.observe(section);
