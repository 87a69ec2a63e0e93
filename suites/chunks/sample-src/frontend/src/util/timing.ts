/** Wait until calls have stopped for a while, then make the last one. */
export function settle<A extends unknown[]>(call: (...given: A) => void, pause: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...given: A): void => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), pause);
  };
}

/** Of several answers that are under way, let only the newest through. */
export function latestOnly<A extends unknown[], R>(ask: (...given: A) => Promise<R>) {
  let newest = 0;
  return async (...given: A): Promise<R | undefined> => {
    const mine = ++newest;
    const answer = await ask(...given);
    return mine === newest ? answer : undefined;
  };
}
