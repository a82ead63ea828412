// A table of any number of rows, of which only those that are seen are in the document.

const rowHeight = 30;
/** Browsers make no element higher than some millions of pixels: of more rows, a pixel is several. */
const greatestHeight = 8_000_000;
const extraRows = 8;

/** Where tables were when their views were left, by address. */
const tablePositions = new Map();

/**
 * A table as a grid that is gone through by arrow keys.
 *
 * `columns`: `{title, detail, width, isNumeric, cell(item), sort}`, where `sort` is the address of the view
 * with its rows sorted so, `order` is `"ascending"`, `"descending"` or `"none"`. `items` are what `cell` is
 * called with.
 */
function virtualTable(label, columns, items) {
  let current = { row: 0, column: 0 };
  const height = Math.min(items.length * rowHeight, greatestHeight);
  const body = element("tbody");
  const table = element(
    "table",
    { role: "grid", "aria-label": label, "aria-rowcount": items.length + 1, "aria-colcount": columns.length },
    element("colgroup", null, columns.map((column) => sized(element("col"), "width", column.width))),
    element("thead", null, element("tr", { "aria-rowindex": 1 }, columns.map(headCell))),
    body
  );
  sized(table, "width", columns.reduce((sum, column) => sum + column.width, 0));
  const on = { scroll: () => requestAnimationFrame(render), keydown: move, focusin: follow };
  const box = element("div", { class: "grid", tabindex: -1, on }, table);

  function rowsSeen() {
    return Math.max(1, Math.floor((box.clientHeight - rowHeight) / rowHeight));
  }

  /** The rows that fit, as if each had its pixels; of a long table, by where the bar is. */
  function firstSeen() {
    const hidden = height - (box.clientHeight - rowHeight);
    if (hidden <= 0) return 0;
    if (items.length * rowHeight === height) return Math.floor(box.scrollTop / rowHeight);
    return Math.floor((Math.min(box.scrollTop, hidden) / hidden) * (items.length - rowsSeen()));
  }

  function render() {
    if (!box.isConnected) return;
    const seen = firstSeen();
    const first = Math.max(0, seen - extraRows);
    const end = Math.min(items.length, seen + rowsSeen() + 1 + extraRows);
    const hasFocus = box.contains(document.activeElement);
    const isExact = items.length * rowHeight === height;
    const above = isExact ? first * rowHeight : Math.max(0, box.scrollTop - (seen - first) * rowHeight);
    const below = Math.max(0, height - above - (end - first) * rowHeight);
    const rows = [spacer(above)];
    for (let row = first; row < end; row++) rows.push(rowElement(row));
    body.replaceChildren(...rows, spacer(below));
    if (hasFocus) (focusTarget() ?? box).focus({ preventScroll: true });
    tablePositions.set(location.hash, { scroll: box.scrollTop, current });
  }

  function spacer(pixels) {
    return sized(element("tr", { "aria-hidden": "true", class: "spacer" }), "height", pixels);
  }

  function rowElement(row) {
    return element(
      "tr",
      { "aria-rowindex": row + 2, class: row % 2 ? "odd" : null },
      columns.map((column, place) => {
        const cell = element("td", { class: column.isNumeric ? "numeric" : null }, column.cell(items[row]));
        const isCurrent = row === current.row && place === current.column;
        const target = cell.querySelector("a") ?? cell;
        for (const link of cell.querySelectorAll("a")) link.tabIndex = -1;
        target.tabIndex = isCurrent ? 0 : -1;
        target.dataset.place = `${row} ${place}`;
        return cell;
      })
    );
  }

  function focusTarget() {
    return body.querySelector(`[data-place="${current.row} ${current.column}"]`);
  }

  /** The cell that was clicked, or reached by the Tab key, is the current one. */
  function follow(event) {
    const place = event.target.dataset?.place?.split(" ").map(Number);
    if (place) current = { row: place[0], column: place[1] };
  }

  function move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("thead")) return;
    const page = rowsSeen() - 1;
    const steps = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [page, 0],
      PageUp: [-page, 0], Home: [-items.length, 0], End: [items.length, 0],
    };
    const step = steps[event.key];
    if (!step || items.length === 0) return;
    event.preventDefault();
    current = {
      row: Math.min(items.length - 1, Math.max(0, current.row + step[0])),
      column: Math.min(columns.length - 1, Math.max(0, current.column + step[1])),
    };
    reveal();
    render();
    const target = focusTarget();
    target?.focus({ preventScroll: true });
    target?.closest("td").scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Scrolls so that the current row is seen. */
  function reveal() {
    const [seen, count] = [firstSeen(), rowsSeen()];
    if (current.row >= seen && current.row < seen + count) return;
    const first = current.row < seen ? current.row : current.row - count + 1;
    const isExact = items.length * rowHeight === height;
    const hidden = height - (box.clientHeight - rowHeight);
    box.scrollTop = isExact ? first * rowHeight : Math.ceil((first / (items.length - count)) * hidden);
  }

  /** Called when the table is in the document: before that, nothing has a size. */
  box.begin = () => {
    const position = tablePositions.get(location.hash);
    if (position) {
      current = position.current;
      box.scrollTop = position.scroll;
      // There is nothing to scroll before the first rows are there.
      render();
      box.scrollTop = position.scroll;
    }
    render();
    new ResizeObserver(render).observe(box);
  };
  return box;
}

function headCell(column) {
  const marks = { ascending: " ↑", descending: " ↓" };
  const title = element("bdi", null, column.title);
  const attributes = { scope: "col", class: column.isNumeric ? "numeric" : null };
  if (!column.sort) return element("th", attributes, title);
  const link = element("a", { href: column.sort, title: column.detail }, title, marks[column.order] ?? "");
  return element("th", { "aria-sort": column.order, ...attributes }, link);
}

function sized(node, side, pixels) {
  node.style[side] = `${pixels}px`;
  return node;
}
