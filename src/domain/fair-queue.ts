/** Queue of items by holder. Holders take turns, so a holder with many items delays only its own. */
export class FairQueue<Item> {
  /** Holders in the order of their turns; none of them is empty. */
  readonly #byHolder = new Map<string, Item[]>()
  #size = 0

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

  /**
   * Returns the oldest item of the holder whose turn it is. That holder then comes last. Holders that may not run keep
   * their turn.
   */
  shift(mayRun: (holder: string) => boolean = () => true): Item | undefined {
    for (const [holder, own] of this.#byHolder) {
      if (!mayRun(holder)) continue
      this.#byHolder.delete(holder)
      const item = own.shift()
      if (own.length > 0) this.#byHolder.set(holder, own)
      this.#size -= 1
      return item
    }
    return undefined
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
