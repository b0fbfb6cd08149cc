import type { JsonObject } from '../../../domain/json-object.ts'
import { textOf } from '../../values/values.ts'
import type { ItemReader } from './item-reader.ts'

interface Place {
  index: number
  item: ItemReader
}

/**
 * Items may come interleaved, and leave one after the other in the order of their `output_index`: the one in front is
 * emitted as it comes, those behind it wait. An item is in front when all before it are done; where an index is skipped,
 * it has to be finished first, in case the missing one is only late.
 */
export class ItemQueue {
  readonly #places: Place[] = []
  #front: Place | undefined
  #next = 0
  #hasCalls = false
  #fault: string | undefined

  /** A call of a tool was emitted. */
  get hasCalls(): boolean {
    return this.#hasCalls
  }

  /** Why an item can never leave; undefined: nothing is wrong. */
  get fault(): string | undefined {
    return this.#fault
  }

  add({ output_index: index }: JsonObject, item: ItemReader): ItemReader {
    const last = this.#places.reduce((highest, place) => Math.max(highest, place.index), -1)
    this.#places.push({ index: typeof index === 'number' ? index : last + 1, item })
    return item
  }

  /** By its index, since some vendors change ids on the way; by its id where there is no index. */
  find({ output_index: index, item_id: id }: JsonObject): ItemReader | undefined {
    if (typeof index === 'number') {
      if (this.#front?.index === index) return this.#front.item
      return this.#places.findLast((place) => place.index === index)?.item
    }
    return this.#places.findLast(({ item }) => item.id !== '' && item.id === id)?.item
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
   * Ends every item with what the finished reply says about it. Ids and indexes differ there with some vendors, so the
   * first message is the first message; what is left over was never streamed and is opened now.
   */
  match(finished: readonly JsonObject[], open: (index: number, item: JsonObject) => ItemReader): void {
    const known = this.#places.toSorted((a, b) => a.index - b.index)
    for (const [position, last] of finished.entries()) {
      const at = known.findIndex(({ item }) => item.type === textOf(last.type))
      const [place] = at < 0 ? [] : known.splice(at, 1)
      const item = place?.item ?? open(position, last)
      item.finish(last)
    }
    for (const { item } of known) item.finish({})
  }

  #nextInLine(): Place | undefined {
    let lowest: Place | undefined
    for (const place of this.#places) {
      if (!place.item.isDone && (lowest === undefined || place.index < lowest.index)) lowest = place
    }
    if (lowest === undefined) return undefined
    return lowest.index <= this.#next || lowest.item.isFinished ? lowest : undefined
  }
}
