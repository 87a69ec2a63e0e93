// Judging: one key an answer. The next hit is shown when the server has stored the last answer. An
// answer that could not be sent is kept in the browser and sent again, also after a reload.
(() => {
  "use strict";
  const AGAIN = 1500;
  const WAITING = "cranfield-answer";
  const began = Date.now();
  let answered = 0;
  let busy = false;

  const form = () => document.getElementById("answer");
  const pause = () => new Promise((resolve) => { setTimeout(resolve, AGAIN); });

  function show(text) {
    const place = document.getElementById("connection");
    place.textContent = text;
    place.hidden = !text;
  }

  function showPace() {
    const place = document.getElementById("pace");
    if (!place || answered < 5) return;
    const perMinute = (60000 * answered) / (Date.now() - began);
    place.textContent = `· ${perMinute < 10 ? perMinute.toFixed(1) : Math.round(perMinute)} a minute`;
  }

  function swap(page) {
    const next = new DOMParser().parseFromString(page, "text/html");
    const desk = next.getElementById("desk");
    if (!desk) return false;
    answered += 1;
    desk.dataset.answers = answered;
    document.getElementById("desk").replaceWith(document.adoptNode(desk));
    document.title = next.title;
    scrollTo(0, 0);
    listen();
    showPace();
    return true;
  }

  async function proofAgain() {
    // The server was started again: its pages carry a new proof.
    const answer = await fetch(location.href);
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const field = page.querySelector("#answer [name=proof]");
    return field ? field.value : null;
  }

  async function send(waiting) {
    busy = true;
    let fields = new URLSearchParams(waiting.fields);
    for (;;) {
      try {
        const answer = await fetch(waiting.action, { method: "POST", body: fields });
        const page = await answer.text();
        if (answer.ok && swap(page)) break;
        if (answer.status === 403) {
          const proof = await proofAgain();
          if (proof && proof !== fields.get("proof")) {
            fields.set("proof", proof);
            continue;
          }
        }
        if (answer.status < 500) {
          // Refused for good: say why, as the server does.
          localStorage.removeItem(WAITING);
          const text = new DOMParser().parseFromString(page, "text/html").querySelector("main");
          show(text ? text.textContent.trim() : "the answer was refused; load the page again");
          busy = false;
          return;
        }
        show("The server cannot store your answer right now; it is kept here and sent again.");
      } catch {
        show("No connection: your answer is kept here and sent again. Do not close this page yet.");
      }
      await pause();
    }
    localStorage.removeItem(WAITING);
    busy = false;
  }

  function submit(event) {
    event.preventDefault();
    if (busy) return;
    const fields = new URLSearchParams(new FormData(form()));
    fields.set("action", event.submitter.value);
    const waiting = { action: form().getAttribute("action"), fields: fields.toString(), page: location.href };
    localStorage.setItem(WAITING, JSON.stringify(waiting));
    send(waiting);
  }

  function listen() {
    form()?.addEventListener("submit", submit);
  }

  addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (typing) {
      if (event.key === "Escape" || event.key === "Enter") {
        event.preventDefault();
        event.target.blur();
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const pressed = event.key.toLowerCase();
    if (pressed === "g") {
      const folded = document.querySelector(".guidelines");
      if (folded) folded.open = !folded.open;
      return;
    }
    if (pressed === "c") {
      const note = document.querySelector("#answer [name=note]");
      if (note) { event.preventDefault(); note.focus(); }
      return;
    }
    const button = form()?.querySelector(`button[data-key="${CSS.escape(pressed)}"]`);
    if (button) { event.preventDefault(); form().requestSubmit(button); }
  });

  listen();
  document.getElementById("desk").dataset.answers = answered;
  const left = localStorage.getItem(WAITING);
  if (left) {
    const waiting = JSON.parse(left);
    if (waiting.page === location.href) {
      const fields = new URLSearchParams(waiting.fields);
      const proof = document.querySelector("#answer [name=proof]");
      if (proof) fields.set("proof", proof.value);
      send({ ...waiting, fields: fields.toString() });
    }
  }
})();
