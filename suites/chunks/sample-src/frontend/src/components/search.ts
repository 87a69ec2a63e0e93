import { ApiClient } from "../api/client";
import { Translator } from "../i18n/translator";
import { h } from "../util/dom";
import { latestOnly, settle } from "../util/timing";

export interface Found {
  items: TitleView[];
  completions: string[];
}

export interface TitleView {
  id: number;
  name: string;
  author: string;
  free?: number;
}

export function titleCard(title: TitleView): HTMLElement {
  return h(
    "article",
    { class: "title" },
    h("a", { href: `/titles/${title.id}`, "data-inside": true }, title.name),
    h("p", {}, title.author),
    title.free === 0 && h("small", { class: "gone" }, "•"),
  );
}

export function resultList(found: Found, typed: string, words: Translator): HTMLElement {
  if (found.items.length === 0) return h("p", {}, words.text("search.none", { typed }));
  return h("div", { class: "results" }, ...found.items.map(titleCard));
}

/** The field on the first screen; what was found appears below it while one types. */
export function searchBox(client: ApiClient, words: Translator): HTMLElement {
  const results = h("div", { "aria-live": "polite" });
  const ask = latestOnly((typed: string) =>
    client.read<Found>(`/search?q=${encodeURIComponent(typed)}`),
  );
  const lookUp = settle(async (typed: string) => {
    if (typed.trim().length < 2) return results.replaceChildren();
    const found = await ask(typed);
    if (found) results.replaceChildren(resultList(found, typed, words));
  }, 250);
  const field = h("input", {
    type: "search",
    onInput: (event: Event) => lookUp((event.target as HTMLInputElement).value),
  });
  return h("section", {}, field, results);
}
