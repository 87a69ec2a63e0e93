import { ApiClient } from "./api/client";
import { accountScreen } from "./components/account";
import { offlineBanner } from "./components/banner";
import { loginForm } from "./components/login";
import { searchBox } from "./components/search";
import { chooseLanguage, Translator } from "./i18n/translator";
import { LocalCache } from "./offline/localCache";
import { NetworkWatch } from "./offline/network";
import { OfflineQueue } from "./offline/queue";
import { Router } from "./router";
import { emptyAccount, extendLoan, loadAccount, reduceAccount } from "./state/account";
import { Store } from "./state/store";
import { h, mount } from "./util/dom";

export function start(page: Element, strip: Element): void {
  const words = new Translator(chooseLanguage(navigator.languages));
  const router = new Router(
    (screen) => mount(page, screen),
    ({ path }) => h("p", {}, path),
  );
  const client = new ApiClient("/api", new LocalCache(localStorage), () => router.go("/login"));
  const queue = new OfflineQueue(localStorage);
  const store = new Store(emptyAccount, reduceAccount);
  const extend = (loan: (typeof store.state.loans)[number]) => void extendLoan(loan, client, store, queue);

  async function reconnect(isOnline: boolean): Promise<void> {
    if (isOnline) {
      const refused = await queue.flush(client);
      if (refused.length > 0) store.dispatch({ type: "message", text: refused.join(", ") });
      await loadAccount(client, store);
    }
    strip.replaceChildren(offlineBanner(isOnline, queue.length, words) ?? "");
  }

  router
    .add("/", () => searchBox(client, words))
    .add("/login", () => loginForm(client, words, () => router.go("/me")))
    .add("/me", async () => {
      await loadAccount(client, store);
      return accountScreen(store.state, words, extend);
    });
  store.subscribe((state) => location.pathname === "/me" && mount(page, accountScreen(state, words, extend)));
  new NetworkWatch(() => client.send("/titles?size=1").then(() => true), reconnect).start();
  router.listen();
  void router.go(location.pathname, { remember: false });
}
