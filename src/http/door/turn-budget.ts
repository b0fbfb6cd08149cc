/** Chunks of request bodies that all connections together read in one turn of the event loop: less than a millisecond. */
export const CHUNKS_PER_TURN = 8_192

/** A request takes as much of a turn as this many chunks, so 32 of them begin in one. */
export const CHUNKS_OF_REQUEST = CHUNKS_PER_TURN / 32

/** A request that its head refuses costs a small part of an accepted one. Refusals that waited behind each other would be late. */
export const CHUNKS_OF_REFUSAL = CHUNKS_PER_TURN / 256

interface Waiting {
  goOn(): void
}

/** Limits the requests that begin or are refused, and the chunks that are read in a turn. The rest follows in order in later turns. */
export class TurnBudget {
  #chunksLeft = CHUNKS_PER_TURN
  #waiting: Waiting[] = []
  #isScheduled = false

  get chunksLeft(): number {
    return this.#chunksLeft
  }

  use(chunks: number): void {
    this.#chunksLeft -= chunks
    this.#schedule()
  }

  /** Begins or refuses a request, or ends a connection, in this turn or a later one. */
  begin(act: () => void, chunks = CHUNKS_OF_REQUEST): void {
    const goOn = () => {
      this.use(chunks)
      act()
    }
    if (this.#chunksLeft > 0) goOn()
    else this.whenFree({ goOn })
  }

  whenFree(connection: Waiting): void {
    this.#waiting.push(connection)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#beginTurn())
  }

  #beginTurn(): void {
    this.#isScheduled = false
    this.#chunksLeft = CHUNKS_PER_TURN
    while (this.#chunksLeft > 0) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      next.goOn()
    }
    if (this.#waiting.length > 0) this.#schedule()
  }
}
