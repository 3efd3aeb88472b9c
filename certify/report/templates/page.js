(() => {
  "use strict";
  const root = document.documentElement, all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const $ = (id) => document.getElementById(id);
  root.classList.add("js");

  // Light and dark
  const dark = matchMedia("(prefers-color-scheme: dark)"), theme = $("theme");
  const show = (name) => {
    root.dataset.theme = name;
    theme.setAttribute("aria-pressed", name === "dark");
  };
  let chosen = null;
  try { chosen = localStorage.getItem("certify-theme"); } catch { /* from disk there may be none */ }
  show(chosen || (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", () => chosen || show(dark.matches ? "dark" : "light"));
  theme.addEventListener("click", () => {
    show(chosen = root.dataset.theme === "dark" ? "light" : "dark");
    try { localStorage.setItem("certify-theme", chosen); } catch { /* as above */ }
  });

  // Claims: which are shown, in what order
  const claims = all(".claim"), groups = all(".group"), list = $("list"), form = document.querySelector(".tools");
  const home = new Map(claims.map((claim) => [claim, claim.parentElement]));
  const orders = {
    weakest: null,
    id: (a, b) => a.dataset.id.localeCompare(b.dataset.id, "en", { numeric: true }),
    seconds: (a, b) => b.dataset.seconds - a.dataset.seconds,
  };
  const filter = () => {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean), family = $("family").value;
    const outcomes = new Set(all("[name=outcome]:checked").map((box) => box.value));
    let count = 0;
    for (const claim of claims) {
      const data = claim.dataset;
      const fits = outcomes.has(data.outcome) && (!family || data.family === family) && words.every((word) => data.words.includes(word));
      claim.hidden = !fits;
      count += fits;
    }
    for (const group of groups) group.hidden = !group.querySelector(".claim:not([hidden])");
    $("shown").value = `${count} of ${claims.length}`;
    $("none").hidden = count > 0;
  };
  const arrange = () => {
    const order = orders[$("order").value];
    if (order) list.append(...[...claims].sort(order));
    else for (const claim of claims) home.get(claim).append(claim);
    filter();
  };
  form.addEventListener("input", (event) => (event.target.id === "order" ? arrange() : filter()));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(arrange));
  $("open").addEventListener("click", (event) => {
    const visible = all(".claim:not([hidden]) > details"), open = visible.some((each) => !each.open);
    for (const each of visible) each.open = open;
    event.target.textContent = open ? "Close all" : "Open all";
  });
  for (const link of all("a[data-family]")) link.addEventListener("click", () => {
    form.reset();
    setTimeout(() => { $("family").value = link.dataset.family; arrange(); });
  });

  // A link to a claim shows and opens it
  const visit = () => {
    const target = $(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden) { form.reset(); setTimeout(() => { arrange(); target.scrollIntoView(); }); }
    const details = target.matches(".claim") ? target.querySelector("details") : target.closest("details");
    if (details) { details.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", visit);
  arrange();
  visit();

  // Tables that sort by a click on a heading
  for (const table of all("table.sortable")) for (const heading of all("thead th", table)) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const number = heading.matches(".number"), first = number ? "descending" : "ascending", other = number ? "ascending" : "descending";
      const at = heading.cellIndex, direction = heading.getAttribute("aria-sort") === first ? other : first, body = table.tBodies[0];
      const key = (row) => row.cells[at].dataset.key ?? row.cells[at].textContent.trim();
      const compare = number ? (a, b) => (parseFloat(a) || 0) - (parseFloat(b) || 0) : (a, b) => a.localeCompare(b, "en", { numeric: true });
      const rows = [...body.rows].sort((a, b) => compare(key(a), key(b)));
      body.append(...(direction === "ascending" ? rows : rows.reverse()));
      for (const each of all("thead th", table)) each.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", direction);
    });
  }

  // Copies and downloads
  for (const button of all(".copy")) button.addEventListener("click", async () => {
    const text = button.parentElement.querySelector(".command").textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { getSelection().selectAllChildren(button.parentElement.querySelector(".command")); }
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  const save = (name, text, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const inert = (text) => (/^[=+\-@]/.test(text) && isNaN(text) ? `'${text}` : text);  // no formula of a spreadsheet
  const quoted = (cell) => `"${inert(String(cell ?? "")).replaceAll('"', '""')}"`;
  const csv = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
  const json = (value) => JSON.stringify(value, null, 2) + "\n";
  const files = {
    "report.json": (data) => json(data.report),
    "page.json": json,
    "claims.csv": ({ report }) => csv([
      ["claim", "outcome", "grade", "seconds", "statement", "domain", "source", "result", "certificate"],
      ...report.claims.map((each) => [each.id, each.outcome, each.grade, report.run.seconds[each.id], each.statement, each.domain, each.source, each.summary, each.evidence?.digest]),
    ]),
  };
  for (const button of all("[data-download]")) button.addEventListener("click", () => {
    const name = button.dataset.download, data = JSON.parse($("data").textContent);
    const content = files[name] ? files[name](data) : data.files[name], text = typeof content === "string" ? content : json(content);
    save(name, text, name.endsWith(".csv") ? "text/csv" : "application/json");
  });
})();
