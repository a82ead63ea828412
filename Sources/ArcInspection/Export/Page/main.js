// Which view is shown, and what keys do. The view is in the address: it can be linked and gone back to.

const main = document.getElementById("main");
const searchInput = document.getElementById("search");
const status = document.getElementById("status");

/** Calls a function when a while has passed without another call. */
function delayed(body, milliseconds = 180) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(body, milliseconds);
  };
}

/** Shows the view of an address in place of the current one, while somebody is still typing. */
function show(hash) {
  history.replaceState(null, "", hash);
  route();
}

function viewOf({ view, subject, parameters }) {
  switch (view) {
    case "":
      return { title: "", content: overview() };
    case "bytes":
      return { title: "Bytes", content: bytesView() };
    case "search":
      return { title: `Search for ${subject}`, content: searchView(subject) };
    case "class": {
      const type = classesByName.get(subject);
      if (type) return { title: type.name, content: classView(type, parameters), type };
      break;
    }
    case "object": {
      const row = Number(subject);
      const place = /^\d+$/.test(subject) && row > 0 ? placeOf(row) : undefined;
      if (place) return { title: `${place.type.name} #${row}`, content: objectView(row), type: place.type };
    }
  }
  const wanted = fileText(shortened(`${view} ${subject}`, 400));
  const text = element("p", { class: "note" }, "There is no ", wanted, " in this file.");
  return { title: "Not found", content: [heading("Not found"), text] };
}

/** Shows what the address asks for. */
function route() {
  const asked = parseAddress(location.hash);
  const typing = document.activeElement?.matches("input") ? document.activeElement : undefined;
  const caret = typing?.selectionStart;
  let shown;
  try {
    shown = viewOf(asked);
  } catch (error) {
    const text = element("p", { class: "note" }, fileText(String(error)));
    shown = { title: "Error", content: [heading("Error"), text] };
  }
  main.replaceChildren(...shown.content.filter(Boolean));
  main.dataset.view = asked.view;
  const name = printable(shortened(archive.file, 80));
  document.title = shown.title ? `${printable(shortened(shown.title, 80))} – ${name}` : name;
  for (const grid of main.querySelectorAll(".grid")) grid.begin();
  if (typing !== searchInput) searchInput.value = asked.view === "search" ? asked.subject : "";
  markCurrent(asked, shown.type);
  const said = [main.querySelector("h1"), main.querySelector(".note")];
  status.textContent = said.map((part) => part?.textContent ?? "").join(". ");
  if (typing?.id === "filter") {
    const input = document.getElementById("filter");
    input?.focus();
    input?.setSelectionRange(caret, caret);
  } else if (!typing) {
    main.querySelector("h1").focus({ preventScroll: true });
    main.scrollTop = 0;
  }
}

/** Marks where one is among the links that are always there. */
function markCurrent({ view }, type) {
  for (const link of document.querySelectorAll("[data-view]:is(a)")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const link of document.querySelectorAll("#classes a")) {
    const isCurrent = Number(link.dataset.class) === type?.number;
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function showClasses() {
  const types = [...objectClasses].sort((one, other) => other.count - one.count);
  const link = (type) =>
    element(
      "a",
      {
        href: address.class(type.name),
        "data-class": type.number,
        title: printable(shortened(type.name, 400)),
      },
      element("span", { class: `dot ${toneOf(type)}` }),
      element("bdi", null, shortName(type.name)),
      element("span", { class: "count" }, grouped(type.count))
    );
  const list = element("ul", null, types.map((type) => element("li", null, link(type))));
  document.getElementById("classes").replaceChildren(element("h2", null, "Classes"), list);
}

const search = delayed(() => show(searchInput.value ? address.search(searchInput.value) : "#"));
searchInput.addEventListener("input", search);
document.getElementById("search-form").addEventListener("submit", (event) => {
  event.preventDefault();
  show(address.search(searchInput.value));
  (main.querySelector(".grid a") ?? main.querySelector("h1")).focus();
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches?.("input");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && isTyping) {
    (main.querySelector("h1") ?? main).focus();
  } else if (event.key === "/" && !isTyping) {
    event.preventDefault();
    searchInput.focus();
    searchInput.select();
  } else if (!isTyping && (event.key === "n" || event.key === "p")) {
    main.querySelector(`[data-step="${event.key}"]`)?.click();
  }
});

document.getElementById("brand").textContent = printable(shortened(archive.file, 60));
window.addEventListener("hashchange", route);
showClasses();
route();
