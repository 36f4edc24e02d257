// Looks at the page it has been put into, and leaves what it found as the page's only text. The task appends it to a
// copy: the page itself lets no script run.
(() => {
  const expected = __EXPECTED__;
  const loaded = performance.now();
  const found = [];
  const fault = (text) => { if (found.length < 40) found.push("fault: " + text); };
  const note = (text) => found.push("note: " + text);
  const named = (element) => {
    const text = element.textContent.trim().slice(0, 30);
    return `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}"> "${text}"`;
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
  const hidden = (element) => element.closest(".vh, caption, title, desc, style, script, defs") !== null;
  const drawing = document.querySelector("body > svg");

  // The looks that were asked for.
  if (matchMedia("(prefers-color-scheme: dark)").matches !== expected.dark) fault("the colour scheme is not the one asked for");
  if (Math.abs(innerWidth - expected.width) > 20) fault(`the window is ${innerWidth} wide, not ${expected.width}`);

  // Nothing foreign: no element, attribute or address that does anything.
  if (document.title === "owned") fault("a script of the trace ran");
  for (const element of all("script:not([data-check]), img, iframe, object, embed, link, base, form, video, audio, image, use, foreignObject")) {
    fault("there is " + named(element));
  }
  for (const element of all("*")) {
    for (const attribute of element.attributes) {
      const { name, value } = attribute;
      if (name.startsWith("on")) fault(`${named(element)} has ${name}`);
      if (name === "src" || (name.endsWith("href") && !value.startsWith("#"))) fault(`${named(element)} leads to ${value}`);
      if (name === "style" && /url|expression|@/.test(value)) fault(`${named(element)} has the style ${value}`);
    }
  }
  for (const entry of performance.getEntriesByType("resource")) fault("it fetched " + entry.name);

  // Every id once, every reference to one that exists.
  const ids = new Set();
  for (const element of all("[id]")) {
    if (ids.has(element.id)) fault(`two elements have the id ${element.id}`);
    ids.add(element.id);
  }
  for (const name of ["aria-describedby", "aria-labelledby"]) {
    for (const element of all(`[${name}]`)) {
      for (const id of element.getAttribute(name).split(" ")) if (!ids.has(id)) fault(`${named(element)} points to no ${id}`);
    }
  }

  // Text that can be read: WCAG 2.2, 1.4.3.
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = drawing ? getComputedStyle(drawing.querySelector(".ground")).fill : null;
  const behind = (element) => {
    if (ground) return ground;
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      const alpha = channels(colour)[3] ?? 1;
      if (alpha === 1) return colour;
    }
    return expected.dark ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)";
  };
  let lowest = 99;
  const texts = all("body *").filter((element) => {
    const own = [...element.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== "");
    return own && !hidden(element) && shown(element);
  });
  const contrast = (element) => {
    const style = getComputedStyle(element);
    const value = ratio(drawing ? style.fill : style.color, behind(element));
    lowest = Math.min(lowest, value);
    if (value < 4.5) fault(`the contrast of ${named(element)} is ${value.toFixed(2)}`);
  };
  for (const element of texts.slice(0, 3000)) contrast(element);
  // What carries meaning without being text: 1.4.11.
  for (const element of drawing ? [] : all("i").slice(0, 3000)) {
    const style = getComputedStyle(element);
    const edge = element.matches(".l") ? style.backgroundColor : style.borderTopColor;
    const value = ratio(edge, behind(element.parentElement));
    if (value < 3) fault(`the contrast of ${named(element)} is ${value.toFixed(2)}`);
  }

  // Nothing runs out of the window or into something else.
  if (drawing) {
    const { width, height } = drawing.viewBox.baseVal;
    const boxes = all("body > svg text").slice(0, 3000).map((element) => [element, element.getBoundingClientRect()]);
    for (const [element, box] of boxes) {
      if (box.left < 0 || box.right > width + 1 || box.bottom > height + 1) fault(`${named(element)} runs out of the picture`);
    }
    for (const row of all("g.row").slice(0, 2000)) {
      const parts = [...row.querySelectorAll("text")].map((element) => element.getBoundingClientRect());
      parts.sort((a, b) => a.left - b.left);
      parts.forEach((part, at) => { if (at > 0 && part.left < parts[at - 1].right) fault(`words of ${named(row)} overlap`); });
      const id = row.querySelector(".id").getBoundingClientRect();
      for (const bar of row.querySelectorAll(".b, .w, .p, .l")) {
        const box = bar.getBoundingClientRect();
        if (box.left < id.right || box.right > row.querySelector(".s").getBoundingClientRect().left) fault(`the bar of ${named(row)} meets words`);
      }
    }
    if (all("g.row").length !== expected.rows) fault(`${all("g.row").length} rows, not ${expected.rows}`);
  } else {
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) fault(`the page is ${root.scrollWidth} wide in a window of ${innerWidth}`);
    for (const element of texts.slice(0, 3000)) {
      const box = element.getBoundingClientRect();
      const isCut = getComputedStyle(element).textOverflow === "ellipsis";
      if (box.right > innerWidth + 1) fault(`${named(element)} runs out of the window`);
      if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && !isCut) fault(`${named(element)} is cut without a mark`);
    }
    for (const axis of all("thead .r")) {
      const marks = [...axis.querySelectorAll("span")].filter(shown).map((element) => element.getBoundingClientRect());
      marks.forEach((mark, at) => { if (at > 0 && mark.left < marks[at - 1].right) fault("marks of the axis overlap"); });
    }
    for (const cell of all("tbody .r").slice(0, 3000)) {
      const room = cell.getBoundingClientRect();
      for (const bar of cell.querySelectorAll("i")) {
        const box = bar.getBoundingClientRect();
        if (box.left < room.left - 9 || box.right > room.right + 9) fault("a bar runs out of its cell");
      }
    }

    // A table for those who cannot see bars.
    const rows = all("tbody tr");
    if (rows.length !== expected.rows) fault(`${rows.length} rows, not ${expected.rows}`);
    for (const table of all("table")) if (!table.caption?.textContent.trim()) fault("a table has no caption");
    for (const head of all("thead th")) if (head.scope !== "col" || !head.textContent.trim()) fault("a column has no head");
    for (const row of rows) {
      if (row.cells[0].tagName !== "TH" || row.cells[0].scope !== "row") fault("a row has no head");
      if (row.cells.length !== 6 || !row.cells[2].textContent.trim()) fault(`${named(row)} lacks cells`);
    }
    if (all("section").length > 0 && !document.querySelector("main h2")) fault("a plan has no heading");
    if (document.documentElement.lang === "") fault("the page does not say its language");

    // Details by keyboard and by pointer.
    const links = rows.map((row) => row.querySelector("th a"));
    for (const link of [links[0], links.at(-1)].filter(Boolean)) {
      const details = document.getElementById(link.getAttribute("aria-describedby"));
      if (link.tabIndex !== 0) fault(`${named(link)} is not reached by the Tab key`);
      link.focus();
      const box = details.getBoundingClientRect();
      if (document.activeElement !== link || !shown(details)) fault(`the details of ${named(link)} do not show when it has the focus`);
      else if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1) fault(`the details of ${named(link)} are not in the window`);
      else if (link.getBoundingClientRect().bottom > box.top) fault(`the details cover ${named(link)}`);
      else if (!details.textContent.includes("trace") && !details.textContent.includes("not run") && !details.textContent.includes(",")) fault("details say nothing");
      else contrast(details);
      link.blur();
      if (shown(details)) fault("details stay when the focus has gone");
    }
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    if (rows.length > 0 && !rules.some((rule) => rule.selectorText === "tr:hover .d" && rule.style.display === "block")) fault("no details for a pointer");
  }

  // What a layout of everything costs.
  const before = performance.now();
  document.body.style.width = "95%";
  void document.body.offsetHeight;
  note(`lowest contrast ${lowest.toFixed(2)}`);
  note(`laid out anew in ${Math.round(performance.now() - before)} ms, loaded in ${Math.round(loaded)} ms, looked at in ${Math.round(performance.now() - loaded)} ms`);
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = found.join("\n") + "\ndone";
  if (parent === window) document.documentElement.replaceChildren(result);
  else parent.postMessage(result.textContent, "*");
})();
