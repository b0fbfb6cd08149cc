/** Chunks of bodies that all connections together read in a turn of the event loop: less than a millisecond. */
export const CHUNKS_PER_TURN = 8_192

/** Cost of a request, in chunks: 32 requests begin in a turn. */
export const CHUNKS_OF_REQUEST = CHUNKS_PER_TURN / 32

/** Cost of a request that is refused immediately. It is small, because refusals must not wait for each other. */
export const CHUNKS_OF_REFUSAL = CHUNKS_PER_TURN / 256

interface Waiting {
  goOn(): void
}

/** Limits the requests and the chunks of a turn of the event loop. The rest follows in later turns. */
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
