import { Translator } from "../i18n/translator";
import { h } from "../util/dom";

/** A strip above the page as long as there is no connection. */
export function offlineBanner(isOnline: boolean, waiting: number, words: Translator): HTMLElement | null {
  if (isOnline && waiting === 0) return null;
  return h(
    "aside",
    { class: "banner" },
    !isOnline && words.text("offline.notice"),
    waiting > 0 && h("small", {}, words.plural("offline.waiting", waiting)),
  );
}
