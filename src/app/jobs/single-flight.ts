import { withDeadline } from './deadline.ts'

/** Calls with the same key that come while its work runs share that work. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T | undefined>>()

  run(key: string, begin: () => Promise<T>): Promise<T> {
    return this.#share(key, begin, (work) => work)
  }

  /**
   * The callers also share the time limit: when it is over they get undefined, and so does each call that comes before
   * the work, which goes on, has ended.
   */
  runWithin(key: string, ms: number, begin: () => Promise<T>): Promise<T | undefined> {
    return this.#share(key, begin, async (work) => (await withDeadline(work, { ms }))?.value)
  }

  #share<R extends T | undefined>(
    key: string,
    begin: () => Promise<T>,
    bound: (work: Promise<T>) => Promise<R>,
  ): Promise<R> {
    const running = this.#running.get(key)
    if (running !== undefined) return running as Promise<R>
    const shared = bound(begin().finally(() => this.#running.delete(key)))
    this.#running.set(key, shared)
    return shared
  }
}
