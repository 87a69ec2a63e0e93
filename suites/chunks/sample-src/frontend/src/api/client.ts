import { LocalCache } from "../offline/localCache";

export interface RequestOptions {
  method?: "GET" | "POST" | "DELETE";
  body?: unknown;
  timeout?: number;
}

/** What the server said no with; `status` 0 means that it was not reached at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }

  get isOffline(): boolean {
    return this.status === 0;
  }
}

export class ApiClient {
  private token: string | null = null;

  constructor(
    private readonly base: string,
    private readonly copies: LocalCache,
    private readonly onLoggedOut: () => void = () => {},
  ) {}

  useToken(token: string | null): void {
    this.token = token;
  }

  /** Read something; when the server is out of reach, answer with the last copy we have. */
  async read<T>(path: string): Promise<T> {
    try {
      const fresh = await this.send<T>(path);
      this.copies.put(path, fresh);
      return fresh;
    } catch (problem) {
      const kept = this.copies.get<T>(path);
      if (problem instanceof ApiError && problem.isOffline && kept !== undefined) {
        return kept;
      }
      throw problem;
    }
  }

  async send<T>(path: string, options: RequestOptions = {}): Promise<T> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), options.timeout ?? 8000);
    let response: Response;
    try {
      response = await fetch(this.base + path, {
        method: options.method ?? "GET",
        headers: this.headers(),
        body: options.body === undefined ? undefined : JSON.stringify(options.body),
        signal: abort.signal,
      });
    } catch {
      throw new ApiError(0, "offline", "The library cannot be reached");
    } finally {
      clearTimeout(timer);
    }
    return this.unpack<T>(response);
  }

  private headers(): Record<string, string> {
    const common = { "Content-Type": "application/json" };
    return this.token ? { ...common, Authorization: `Bearer ${this.token}` } : common;
  }

  private async unpack<T>(response: Response): Promise<T> {
    if (response.status === 204) return undefined as T;
    const payload = await response.json().catch(() => ({}));
    if (response.ok) return payload as T;
    if (response.status === 401) this.onLoggedOut();
    throw new ApiError(response.status, payload.error ?? "unknown", payload.message ?? "", payload.details);
  }
}

/** Follow the marks of a paged list to its end. */
export async function readAll<T>(client: ApiClient, path: string): Promise<T[]> {
  const items: T[] = [];
  let mark: string | null = "";
  while (mark !== null) {
    const query: string = mark ? `?after=${encodeURIComponent(mark)}` : "";
    const page: { items: T[]; next: string | null } = await client.read(path + query);
    items.push(...page.items);
    mark = page.next;
  }
  return items;
}
