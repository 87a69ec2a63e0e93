/** Copies of answers in the browser's storage; the oldest go when it is full. */
export class LocalCache {
  constructor(
    private readonly storage: Storage,
    private readonly prefix = "bramble:",
    private readonly capacity = 50,
  ) {}

  get length(): number {
    return this.keys().length;
  }

  get<T>(key: string): T | undefined {
    const text = this.storage.getItem(this.prefix + key);
    return text === null ? undefined : (JSON.parse(text).value as T);
  }

  put(key: string, value: unknown): void {
    const text = JSON.stringify({ at: Date.now(), value });
    try {
      this.storage.setItem(this.prefix + key, text);
    } catch {
      this.evict();
      this.storage.setItem(this.prefix + key, text);
    }
    if (this.length > this.capacity) this.evict();
  }

  private keys(): string[] {
    return Object.keys(this.storage).filter((key) => key.startsWith(this.prefix));
  }

  private evict(): void {
    const age = (key: string) => JSON.parse(this.storage.getItem(key) ?? '{"at":0}').at as number;
    const oldest = this.keys().sort((a, b) => age(a) - age(b));
    oldest.slice(0, Math.ceil(oldest.length / 4)).forEach((key) => this.storage.removeItem(key));
  }
}
