type Change = (isOnline: boolean) => void;

/** The browser's word for it is not enough, so the server is asked as well. */
export class NetworkWatch {
  private connected = true;

  constructor(
    private readonly ping: () => Promise<boolean>,
    private readonly changed: Change,
  ) {}

  start(every = 15000): void {
    window.addEventListener("online", () => this.check());
    window.addEventListener("offline", () => this.set(false));
    setInterval(() => this.check(), every);
  }

  async check(): Promise<void> {
    this.set(await this.ping().catch(() => false));
  }

  private set(connected: boolean): void {
    if (connected === this.connected) return;
    this.connected = connected;
    this.changed(connected);
  }
}
