export type Screen = (given: Record<string, string>) => Node | Promise<Node>;

interface Entry {
  pattern: RegExp;
  names: string[];
  screen: Screen;
}

/** Which address shows what; links inside the page do not reload it. */
export class Router {
  private entries: Entry[] = [];

  constructor(
    private readonly show: (screen: Node) => void,
    private readonly missing: Screen,
  ) {}

  add(path: string, screen: Screen): this {
    const names = [...path.matchAll(/:(\w+)/g)].map((found) => found[1]);
    const pattern = new RegExp("^" + path.replace(/:\w+/g, "([^/]+)") + "$");
    this.entries.push({ pattern, names, screen });
    return this;
  }

  async go(path: string, options = { remember: true }): Promise<void> {
    if (options.remember) history.pushState(null, "", path);
    const [screen, given] = this.resolve(path);
    this.show(await screen(given));
  }

  listen(): void {
    window.addEventListener("popstate", () => this.go(location.pathname, { remember: false }));
    document.addEventListener("click", (event) => {
      const link = (event.target as Element).closest("a[data-inside]");
      if (link === null) return;
      event.preventDefault();
      void this.go(link.getAttribute("href") ?? "/");
    });
  }

  private resolve(path: string): [Screen, Record<string, string>] {
    for (const { pattern, names, screen } of this.entries) {
      const found = pattern.exec(path);
      if (found) {
        const values = found.slice(1).map(decodeURIComponent);
        return [screen, Object.fromEntries(names.map((name, place) => [name, values[place]]))];
      }
    }
    return [this.missing, { path }];
  }
}
