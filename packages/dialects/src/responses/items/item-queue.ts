import type { JsonObject } from '../../json/json-object.ts'
import { textOf } from '../../values/values.ts'
import type { ItemReader } from './item-reader.ts'

interface QueuedItem {
  index: number
  item: ItemReader
}

/**
 * Emits items one after the other in the order of their `output_index`, although they may arrive interleaved. An item is
 * in front when all earlier items are done; it is emitted while it arrives. An item behind a missing index is emitted
 * only when it is finished, because the missing item may be late.
 */
export class ItemQueue {
  readonly #items: QueuedItem[] = []
  #front: QueuedItem | undefined
  #next = 0
  #hasCalls = false
  #fault: string | undefined

  /** Whether an item that calls a tool is done. */
  get hasCalls(): boolean {
    return this.#hasCalls
  }

  /** Reason for which an item can never be emitted; undefined: no such item so far. */
  get fault(): string | undefined {
    return this.#fault
  }

  add({ output_index: index }: JsonObject, item: ItemReader): ItemReader {
    const last = this.#items.reduce((highest, queued) => Math.max(highest, queued.index), -1)
    this.#items.push({ index: typeof index === 'number' ? index : last + 1, item })
    return item
  }

  /** Finds an item by its index, since some vendors change ids; without an index by its id. */
  find({ output_index: index, item_id: id }: JsonObject): ItemReader | undefined {
    if (typeof index === 'number') {
      if (this.#front?.index === index) return this.#front.item
      return this.#items.findLast((queued) => queued.index === index)?.item
    }
    return this.#items.findLast(({ item }) => item.id !== '' && item.id === id)?.item
  }

  advance(): void {
    for (;;) {
      this.#front ??= this.#nextInLine()
      if (this.#front === undefined) return
      const { index, item } = this.#front
      item.emitReady()
      if (!item.isDone) return
      this.#next = Math.max(this.#next, index + 1)
      this.#hasCalls ||= item.isCall
      this.#fault ??= item.fault
      this.#front = undefined
    }
  }

  /**
   * Finishes every item with its form in the finished reply. Some vendors change ids and indexes there, so items are
   * matched by type and order. Items of the finished reply that were never streamed are opened now.
   */
  match(finished: readonly JsonObject[], open: (index: number, item: JsonObject) => ItemReader): void {
    const known = this.#items.toSorted((a, b) => a.index - b.index)
    for (const [position, last] of finished.entries()) {
      const at = known.findIndex(({ item }) => item.type === textOf(last.type))
      const [queued] = at < 0 ? [] : known.splice(at, 1)
      const item = queued?.item ?? open(position, last)
      item.finish(last)
    }
    for (const { item } of known) item.finish({})
  }

  #nextInLine(): QueuedItem | undefined {
    let lowest: QueuedItem | undefined
    for (const queued of this.#items) {
      if (!queued.item.isDone && (lowest === undefined || queued.index < lowest.index)) lowest = queued
    }
    if (lowest === undefined) return undefined
    return lowest.index <= this.#next || lowest.item.isFinished ? lowest : undefined
  }
}
