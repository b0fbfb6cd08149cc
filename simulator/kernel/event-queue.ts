/** Something that happens at a moment of virtual time. */
export interface Event {
  atMs: number
  /** Decides between events of the same moment. */
  rank: number
  /** Text for the trace. */
  label: string
  isCancelled: boolean
  run(): void
}

/** A binary heap: the earliest event first; at the same time, the event with the lowest rank first. */
export class EventQueue {
  readonly #heap: Event[] = []

  get size(): number {
    return this.#heap.length
  }

  add(event: Event): void {
    const heap = this.#heap
    let place = heap.push(event) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(place, parent)) return
      this.#swap(place, parent)
      place = parent
    }
  }

  /** undefined: the queue is empty. */
  take(): Event | undefined {
    const [first] = this.#heap
    const last = this.#heap.pop()
    if (first === undefined || last === undefined || first === last) return first
    this.#heap[0] = last
    this.#sink()
    return first
  }

  #sink(): void {
    let place = 0
    for (;;) {
      const left = 2 * place + 1
      let least = place
      for (const child of [left, left + 1])
        if (child < this.#heap.length && this.#isBefore(child, least)) least = child
      if (least === place) return
      this.#swap(place, least)
      place = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]]
    if (one === undefined || other === undefined) return false
    return one.atMs < other.atMs || (one.atMs === other.atMs && one.rank < other.rank)
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]]
    if (one === undefined || other === undefined) return
    this.#heap[a] = other
    this.#heap[b] = one
  }
}
