/** Queue of items by holder. The holder that has used the least is first; holders with equal use take turns. */
export class FairQueue<Item> {
  /** Holders in the order of their turns, each with at least one item. */
  readonly #byHolder = new Map<string, Item[]>()
  readonly #usedBy: (holder: string) => number
  #size = 0

  constructor(usedBy: (holder: string) => number = () => 0) {
    this.#usedBy = usedBy
  }

  get size(): number {
    return this.#size
  }

  sizeOf(holder: string): number {
    return this.#byHolder.get(holder)?.length ?? 0
  }

  push(holder: string, item: Item): void {
    const own = this.#byHolder.get(holder)
    if (own === undefined) this.#byHolder.set(holder, [item])
    else own.push(item)
    this.#size += 1
  }

  /** Returns the oldest item of the holder whose turn it is. Holders that may not run keep their turn. */
  shift(mayRun: (holder: string) => boolean = () => true): Item | undefined {
    let next: [string, Item[]] | undefined
    let least = Number.POSITIVE_INFINITY
    for (const waiting of this.#byHolder) {
      const used = this.#usedBy(waiting[0])
      if (used >= least || !mayRun(waiting[0])) continue
      least = used
      next = waiting
    }
    if (next === undefined) return undefined
    const [holder, own] = next
    this.#byHolder.delete(holder)
    const item = own.shift()
    if (own.length > 0) this.#byHolder.set(holder, own)
    this.#size -= 1
    return item
  }

  /** Returns false when the item is not waiting. */
  remove(holder: string, item: Item): boolean {
    const own = this.#byHolder.get(holder)
    const at = own?.indexOf(item) ?? -1
    if (own === undefined || at === -1) return false
    own.splice(at, 1)
    if (own.length === 0) this.#byHolder.delete(holder)
    this.#size -= 1
    return true
  }
}
