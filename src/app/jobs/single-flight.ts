import { withDeadline } from './deadline.ts'

export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T | undefined>>()

  run(key: string, begin: () => Promise<T>): Promise<T> {
    return this.#share(key, begin, (work) => work)
  }

  /** Bounds the shared wait: after `ms` all callers get undefined, and so do later ones until the work has ended. */
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
