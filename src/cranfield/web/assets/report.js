"use strict";
(async () => {
  const PAGE = 25;
  const find = (id) => document.getElementById(id);
  const data = await unpack(find("packed").textContent);
  const arms = data.suites.length ? data.suites[0].arms : [];
  const isPair = arms.length === 2;
  const state = { shown: PAGE, sort: "", down: false, open: "" };
  const tbody = find("list").tBodies[0];

  async function unpack(content) {
    const letters = atob(content);
    const bytes = new Uint8Array(letters.length);
    for (let place = 0; place < letters.length; place += 1) bytes[place] = letters.charCodeAt(place);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  // Text of others: no controls, and nothing that reorders what stands beside it.
  const clean = (text) => String(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g,
    "\ufffd");

  function make(name, text = "", className = "") {
    const made = document.createElement(name);
    if (text) made.textContent = clean(text);
    if (className) made.className = className;
    return made;
  }

  const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(4));
  const rank = (value) => value ?? "–";
  const side = (query, place) => (query.sides || [])[place] || {};
  const failed = (query) => Boolean(query.failed);
  const key = (query) => `${data.suites[query.suite].suite}/${query.id}`;

  const columns = [
    { name: "query", of: (q) => q.text || q.id },
    { name: "suite", wide: true, of: (q) => data.suites[q.suite].suite },
    { name: "category", wide: true, of: (q) => q.category || "" },
    ...(data.queries.some((q) => q.change || failed(q))
      ? [{ name: "change", of: (q) => q.change || (failed(q) ? "not answered" : "") }] : []),
    ...arms.map((arm, place) => ({
      name: isPair ? `rank ${"AB"[place]}` : "rank", title: arm, numeric: true,
      of: (q) => (q.ranks || [])[place] ?? null, show: rank,
    })),
    ...arms.map((arm, place) => ({
      name: isPair ? `value ${"AB"[place]}` : "value", title: arm, numeric: true, wide: true,
      of: (q) => (q.values || [])[place] ?? null, show: number,
    })),
  ];

  function fill(select, values) {
    select.append(new Option("all", ""));
    [...new Set(values)].filter(Boolean).sort().forEach((each) => select.append(new Option(clean(each), each)));
    select.parentElement.hidden = select.options.length < 3;
  }

  function matches(query) {
    const wanted = find("filter-text").value.trim().toLowerCase();
    const suite = find("filter-suite").value;
    const kind = find("filter-class").value;
    const category = find("filter-category").value;
    const change = find("filter-change").value;
    return (!wanted || `${query.id} ${query.text || ""}`.toLowerCase().includes(wanted))
      && (!suite || data.suites[query.suite].suite === suite)
      && (!kind || data.suites[query.suite].class === kind)
      && (!category || query.category === category)
      && (!change || query.change === change)
      && (!find("filter-failed").checked || failed(query));
  }

  function sorted(queries) {
    const column = columns.find((each) => each.name === state.sort);
    if (!column) return queries;
    const of = (query) => column.of(query);
    const order = (a, b) => {
      const [x, y] = [of(a), of(b)];
      if (x === null || y === null) return (x === null) - (y === null);
      const by = typeof x === "number" ? x - y : String(x).localeCompare(String(y));
      return state.down ? -by : by;
    };
    return [...queries].sort(order);
  }

  function show() {
    const found = sorted(data.queries.filter(matches));
    find("count").textContent = `${found.length} of ${data.queries.length} queries`;
    tbody.replaceChildren(...found.slice(0, state.shown).flatMap(row));
    find("more").hidden = found.length <= state.shown;
  }

  function row(query) {
    const made = make("tr", "", query.tone || "");
    columns.forEach((column, place) => {
      const cell = make("td", "", [column.numeric && "n", column.wide && "wide", column.name]
        .filter(Boolean).join(" "));
      const value = column.of(query);
      const text = String(column.show ? column.show(value) : value);
      if (place) cell.textContent = clean(text);
      else cell.append(opener(query, text));
      made.append(cell);
    });
    return state.open === key(query) ? [made, detail(query)] : [made];
  }

  function opener(query, text) {
    const button = make("button", text);
    button.type = "button";
    button.dataset.key = key(query);
    button.setAttribute("aria-expanded", String(state.open === key(query)));
    return button;
  }

  function detail(query) {
    const made = make("tr", "", "detail");
    const cell = make("td");
    cell.colSpan = columns.length;
    const facts = make("p", "", "note");
    const says = () => { facts.firstChild.textContent = clean(`${query.id}${query.expected ? `: expects ${query.expected}` : ""}`); };
    facts.append(make("span"));
    says();
    cell.append(facts);
    const both = make("div", "", "sides");
    cell.append(both);
    both.setAttribute("aria-busy", "true");
    answered(query).then(
      () => { says(); both.append(...arms.map((arm, place) => ranking(query, arm, place))); },
      () => both.append(make("p", "The answers cannot be loaded; is the server still running?", "line warning")),
    ).finally(() => both.removeAttribute("aria-busy"));
    const link = make("a", "link to this query");
    link.href = `#query=${encodeURIComponent(key(query))}`;
    facts.append(" · ", link);
    made.append(cell);
    return made;
  }

  // A file has all answers with it, most of its content: they are read when the first query is opened.
  let reading;
  async function readAnswers() {
    const found = find("packed-answers");
    if (!found) return;
    const { answers, texts } = await unpack(found.textContent);
    data.texts = texts;
    answers.forEach((each, place) => Object.assign(data.queries[place], each));
  }

  // A page of the server asks for the answers to a query that is opened.
  async function answered(query) {
    await (reading ??= readAnswers());
    if (query.sides || !data.source) return;
    const asked = { suite: data.suites[query.suite].suite, query: query.id };
    const address = new URL(data.source, location.href);
    Object.entries(asked).forEach(([name, value]) => address.searchParams.set(name, value));
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    Object.assign(query, await answer.json());
  }

  function ranking(query, arm, place) {
    const answer = side(query, place);
    const made = make("div");
    made.append(make("h3", isPair ? `${"AB"[place]}: ${arm}` : arm));
    const facts = [answer.failed && `${answer.status}: ${answer.message || ""}`,
      answer.ungraded && `not graded: ${answer.ungraded}`,
      answer.route && `route ${answer.route}`,
      (answer.flags || []).length && `flags ${answer.flags.join(", ")}`,
      answer.seconds && `${(answer.seconds * 1000).toFixed(1)} ms`].filter(Boolean);
    if (facts.length) made.append(make("p", facts.join("; "), "note"));
    const hits = answer.hits || [];
    if (!hits.length) made.append(make("p", "no hits"));
    const list = make("ol", "", "hits");
    hits.forEach((hit, at) => list.append(shownHit(query, hit, at + 1, place)));
    made.append(list);
    if (answer.more) made.append(make("p", `and ${answer.more} more hits`, "note"));
    return made;
  }

  function shownHit(query, [id, grade, score, title, reason, text, facts], at, place) {
    const texts = query.texts || data.texts;
    const made = make("li", "", grade > 0 ? "is-right" : "");
    made.append(make("span", String(at), "rank"), make("b", texts[title] || texts[id]), " ");
    if (grade > 0) made.append(make("span", `right, grade ${grade}`, "grade"), " ");
    else if (grade === 0) made.append(make("span", "judged not right", "grade wrong"), " ");
    if (isPair) made.append(make("span", moved(query, id, at, place), "moved"));
    const name = make("span", "", "id");
    if (/^https?:\/\//i.test(texts[id])) {
      const link = make("a", texts[id]);
      link.href = texts[id];
      link.rel = "noreferrer noopener";
      name.append(link);
    } else name.textContent = clean(texts[id]);
    if (score !== null && score !== undefined) name.append(`, score ${score}`);
    made.append(name);
    if (reason !== null && reason !== undefined) made.append(make("span", texts[reason], "reason"));
    if (text !== null && text !== undefined) made.append(marked(texts[text], query.text || ""));
    if (facts && Object.keys(facts).length) made.append(fields(facts, texts));
    return made;
  }

  function fields(facts, texts) {
    const made = make("details");
    made.append(make("summary", facts.explanation === undefined
      ? "what the system said of it" : "why the system ranked it here", "note"));
    const list = make("dl");
    Object.entries(facts).forEach(([name, value]) => {
      list.append(make("dt", name), make("dd", texts[value]));
    });
    made.append(list);
    return made;
  }

  function moved(query, id, at, place) {
    const others = (side(query, 1 - place).hits || []).map((each) => each[0]);
    const other = others.indexOf(id) + 1;
    if (!place) return other ? (other === at ? "same rank in B" : `rank ${other} in B`) : "gone in B";
    if (!other) return "new";
    return other === at ? "same rank" : `${other > at ? "▲" : "▼"}${Math.abs(other - at)}`;
  }

  function marked(written, wanted) {
    const text = clean(written);
    const made = make("p", "", "text");
    const words = [...new Set(wanted.slice(0, 400).toLowerCase().match(/[\p{L}\p{N}_]{3,40}/gu) || [])];
    if (!words.length) { made.textContent = text; return made; }
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    text.split(new RegExp(`(${escaped.join("|")})`, "giu")).forEach((part, place) => {
      made.append(place % 2 ? make("mark", part) : part);
    });
    return made;
  }

  function head() {
    const line = find("list").tHead.rows[0];
    columns.forEach((column) => {
      const cell = make("th", "", [column.numeric && "n", column.wide && "wide"].filter(Boolean).join(" "));
      cell.scope = "col";
      const button = make("button", column.name);
      button.type = "button";
      if (column.title) button.title = clean(column.title);
      button.addEventListener("click", () => {
        state.down = state.sort === column.name && !state.down;
        state.sort = column.name;
        [...line.cells].forEach((each) => each.removeAttribute("aria-sort"));
        cell.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        show();
      });
      cell.append(button);
      line.append(cell);
    });
  }

  function open(wanted, { keepAddress = false } = {}) {
    state.open = wanted;
    if (!keepAddress) {
      const address = wanted ? `#query=${encodeURIComponent(wanted)}` : location.pathname + location.search;
      history.replaceState(null, "", address);
    }
    show();
    button(wanted)?.focus();
  }

  const button = (wanted) =>
    [...tbody.querySelectorAll("button")].find((each) => each.dataset.key === wanted);

  function openSection() {
    const found = /^#section-\d+$/.test(location.hash) && document.querySelector(location.hash);
    if (found) found.querySelector("details").open = true;
  }

  function follow() {
    openSection();
    const wanted = /^#query=(.*)$/.exec(location.hash);
    if (!wanted) return;
    let name;
    try { name = decodeURIComponent(wanted[1]); } catch { return; }
    const query = data.queries.find((each) => key(each) === name);
    if (!query) return;
    find("filters").reset();
    state.shown = Math.max(state.shown, sorted(data.queries).indexOf(query) + 1);
    if (state.shown > 5 * PAGE) { find("filter-text").value = query.text || query.id; state.shown = PAGE; }
    open(name, { keepAddress: true });
    button(name)?.scrollIntoView({ block: "center" });
  }

  function move(step) {
    const buttons = [...tbody.querySelectorAll("button")];
    if (!buttons.length) return;
    const at = buttons.indexOf(document.activeElement);
    buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)].focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName || "");
    if (event.key === "Escape") {
      if (typing) { document.activeElement.blur(); } else if (state.open) open("");
    } else if (event.key === "/" && !typing) {
      event.preventDefault();
      find("filter-text").focus();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp")
        && (!typing || document.activeElement.type === "search")
        && (tbody.contains(document.activeElement) || document.activeElement.type === "search")) {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
  });
  tbody.addEventListener("click", (event) => {
    const pressed = event.target.closest("button");
    if (pressed) open(state.open === pressed.dataset.key ? "" : pressed.dataset.key);
  });
  find("filters").addEventListener("input", () => { state.shown = PAGE; show(); });
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  find("more").addEventListener("click", () => { state.shown += PAGE; show(); });
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((each) => { each.open = true; });
  });

  head();
  fill(find("filter-suite"), data.suites.map((each) => each.suite));
  fill(find("filter-class"), data.suites.map((each) => each.class));
  fill(find("filter-category"), data.queries.map((each) => each.category));
  fill(find("filter-change"), data.queries.map((each) => each.change));
  find("filter-failed").parentElement.hidden = !data.queries.some(failed);
  if (data.without_text) {
    find("left-out").hidden = false;
    find("left-out").textContent = `The texts of ${data.without_text} hits had no room in this file.`;
  }
  find("explorer").hidden = false;
  show();
  follow();
})();
