export type Listener<S> = (state: S) => void;
export type Reducer<S, A> = (state: S, action: A) => S;

/** Everything the screens show, in one place; it changes only by actions. */
export class Store<S, A> {
  private listeners = new Set<Listener<S>>();

  constructor(
    private current: S,
    private readonly reduce: Reducer<S, A>,
  ) {}

  get state(): S {
    return this.current;
  }

  dispatch(action: A): void {
    const next = this.reduce(this.current, action);
    if (next === this.current) return;
    this.current = next;
    this.listeners.forEach((listener) => listener(next));
  }

  subscribe(listener: Listener<S>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
