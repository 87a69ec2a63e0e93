import { ApiClient, ApiError } from "../api/client";

export interface Wish {
  method: "POST" | "DELETE";
  path: string;
  body?: unknown;
}

const KEY = "bramble-wishes";

/** What the reader asked for while nobody could hear it, kept through a reload. */
export class OfflineQueue {
  private wishes: Wish[];

  constructor(private readonly storage: Storage) {
    this.wishes = JSON.parse(storage.getItem(KEY) ?? "[]");
  }

  get length(): number {
    return this.wishes.length;
  }

  add(wish: Wish): void {
    const isKnown = this.wishes.some((each) => each.method === wish.method && each.path === wish.path);
    if (!isKnown) this.wishes.push(wish);
    this.save();
  }

  /** Send in order; stop at the first that cannot be delivered, drop those the server refuses. */
  async flush(client: ApiClient): Promise<string[]> {
    const refused: string[] = [];
    while (this.wishes.length > 0) {
      const wish = this.wishes[0];
      try {
        await client.send(wish.path, { method: wish.method, body: wish.body });
      } catch (problem) {
        if (problem instanceof ApiError && problem.isOffline) break;
        refused.push(wish.path);
      }
      this.wishes.shift();
      this.save();
    }
    return refused;
  }

  private save(): void {
    this.storage.setItem(KEY, JSON.stringify(this.wishes));
  }
}
