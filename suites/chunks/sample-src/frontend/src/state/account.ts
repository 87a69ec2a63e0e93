import { ApiClient, ApiError } from "../api/client";
import { OfflineQueue } from "../offline/queue";
import { addDays } from "../util/dates";
import { Store } from "./store";

export interface LoanView {
  id: number;
  copy: string;
  due: string;
  renewals: number;
  pending?: boolean;
}

export interface AccountState {
  loans: LoanView[];
  owed: number;
  message: string | null;
}

export type AccountAction =
  | { type: "loaded"; loans: LoanView[]; owed: number }
  | { type: "loan"; loan: LoanView }
  | { type: "message"; text: string | null };

export const emptyAccount: AccountState = { loans: [], owed: 0, message: null };

export function reduceAccount(state: AccountState, action: AccountAction): AccountState {
  switch (action.type) {
    case "loaded":
      return { ...state, loans: action.loans, owed: action.owed };
    case "loan":
      return {
        ...state,
        loans: state.loans.map((loan) => (loan.id === action.loan.id ? action.loan : loan)),
      };
    case "message":
      return { ...state, message: action.text };
  }
}

export async function loadAccount(client: ApiClient, store: Store<AccountState, AccountAction>) {
  const { loans, owed } = await client.read<{ loans: LoanView[]; owed: number }>("/me");
  store.dispatch({ type: "loaded", loans, owed });
}

/**
 * Show the new date at once and ask the server afterwards. If it refuses, the old date comes
 * back; if it cannot be reached, the wish is kept for later.
 */
export async function extendLoan(
  loan: LoanView,
  client: ApiClient,
  store: Store<AccountState, AccountAction>,
  queue: OfflineQueue,
): Promise<void> {
  const path = `/loans/${loan.copy}/extension`;
  store.dispatch({ type: "loan", loan: { ...loan, due: addDays(loan.due, 21), pending: true } });
  try {
    const confirmed = await client.send<LoanView>(path, { method: "POST" });
    store.dispatch({ type: "loan", loan: confirmed });
  } catch (problem) {
    if (problem instanceof ApiError && problem.isOffline) {
      queue.add({ method: "POST", path });
      return;
    }
    store.dispatch({ type: "loan", loan });
    store.dispatch({ type: "message", text: explain(problem) });
  }
}

/** A sentence for people out of whatever was thrown. */
export function explain(problem: unknown): string {
  if (!(problem instanceof ApiError)) return "Something went wrong. Please try again.";
  const sentences: Record<string, string> = {
    offline: "You are not connected.",
    refused: `This is not possible: ${problem.message}`,
    conflict: "Somebody was faster.",
    slow_down: "Too many tries. Please wait a moment.",
  };
  return sentences[problem.code] ?? "The library's computer has a problem.";
}
