import { AccountState, LoanView } from "../state/account";
import { Translator } from "../i18n/translator";
import { daysUntil, describeDue } from "../util/dates";
import { h } from "../util/dom";
import { formatCents } from "../util/money";

type Extend = (loan: LoanView) => void;

export function loanRow(loan: LoanView, words: Translator, extend: Extend): HTMLElement {
  const today = new Date();
  const isLate = daysUntil(loan.due, today) < 0;
  return h(
    "li",
    { class: isLate ? "late" : "" },
    h("span", {}, loan.copy),
    h("time", { datetime: loan.due }, describeDue(loan.due, today, words)),
    h("button", { onClick: () => extend(loan), disabled: loan.pending ?? false }, "↻"),
  );
}

export function accountScreen(state: AccountState, words: Translator, extend: Extend): HTMLElement {
  const rows = [...state.loans]
    .sort((a, b) => a.due.localeCompare(b.due))
    .map((loan) => loanRow(loan, words, extend));
  return h(
    "main",
    {},
    state.message !== null && h("p", { role: "alert" }, state.message),
    h("ul", {}, ...rows),
    state.owed > 0 && h("p", { class: "owed" }, formatCents(state.owed, words.language)),
  );
}
