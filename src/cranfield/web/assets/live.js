// The run list: two marks open a comparison; runs that are under way show how far they are.
(() => {
  "use strict";
  const EVERY = 2000;
  const QUIET = 60;

  function chooseRuns() {
    const form = document.getElementById("choose");
    if (!form) return;
    const rows = [...form.querySelectorAll("tbody tr")];
    const marked = (name) => form.querySelector(`input[name=${name}]:checked`);
    const words = document.getElementById("chosen");
    form.addEventListener("change", (event) => {
      if (event.target.type !== "radio") return;
      const [a, b] = [marked("a"), marked("b")];
      const one = a || b;
      const suite = one.closest("tr").dataset.suite;
      rows.forEach((row) => {
        const [first, second] = row.querySelectorAll("input");
        row.classList.toggle("chosen", first.checked || second.checked);
        first.disabled = !first.checked && (row.dataset.suite !== suite || second === b);
        second.disabled = !second.checked && (row.dataset.suite !== suite || first === a);
      });
      if (a && b) {
        words.textContent = "Comparing …";
        location.assign(`${form.action}?${new URLSearchParams({ a: a.value, b: b.value })}`);
      } else {
        words.textContent = `Now mark ${a ? "B" : "A"}, another run of ${suite}.`;
      }
    });
    form.addEventListener("reset", () => rows.forEach((row) => {
      row.querySelectorAll("input").forEach((each) => { each.disabled = false; });
    }));
    // Back from a comparison, the list is as at the start.
    addEventListener("pageshow", () => { form.reset(); words.textContent = ""; });
    const filter = document.getElementById("filter-runs");
    filter.addEventListener("input", () => {
      const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      rows.forEach((row) => {
        const text = row.textContent.toLowerCase();
        row.hidden = !wanted.every((each) => text.includes(each));
      });
    });
    filter.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
  }

  function showProgress(place, run) {
    const bar = document.createElement("progress");
    bar.max = run.total;
    bar.value = run.done;
    bar.setAttribute("aria-label", "answers");
    const failed = run.failed ? `, ${run.failed} not answered` : "";
    const quiet = run.quiet > QUIET ? `; no answer for ${Math.round(run.quiet / 60)} min, it may have been stopped` : "";
    place.replaceChildren(bar, ` ${run.done} of ${run.total}${failed}${quiet}`);
  }

  async function follow() {
    const places = new Map([...document.querySelectorAll("[data-run]")].map(
      (each) => [each.dataset.run, each.querySelector(".state") || each]));
    const lists = Boolean(document.getElementById("choose"));
    if (!places.size && !lists) return;
    let known = null;
    for (;;) {
      if (!document.hidden) {
        const answer = await fetch("/progress").catch(() => null);
        if (answer && answer.ok) {
          const runs = await answer.json();
          const ids = runs.map((run) => run.run).join(" ");
          const ended = [...places.keys()].some((id) => !runs.some((run) => run.run === id));
          const begun = lists && runs.some((run) => !places.has(run.run));
          const busy = document.querySelector("#choose input:checked");
          if ((ended || begun || (known !== null && known !== ids)) && !busy) {
            location.reload();
            return;
          }
          known = ids;
          runs.forEach((run) => {
            const place = places.get(run.run);
            if (place) showProgress(place, run);
          });
        }
      }
      await new Promise((resolve) => { setTimeout(resolve, EVERY); });
    }
  }

  function markBothSides() {
    // A hit that both systems found is right on both sides.
    document.getElementById("add")?.addEventListener("change", (event) => {
      if (event.target.name !== "right") return;
      document.querySelectorAll("#add input[name=right]").forEach((each) => {
        if (each.value === event.target.value) each.checked = event.target.checked;
      });
    });
  }

  chooseRuns();
  markBothSides();
  follow();
})();
