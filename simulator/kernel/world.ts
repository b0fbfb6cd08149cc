import { createHash } from 'node:crypto'
import { type Event, EventQueue } from './event-queue.ts'
import { createRandom, type Random } from './random.ts'

/** A process of the simulated deployment. What belongs to one that has crashed never runs. */
export interface Owner {
  readonly name: string
  isAlive: boolean
}

/** Where the wall clock stands when a run begins: an evening, so that midnight comes during long runs. */
const BEGAN_AT_MS = Date.UTC(2026, 2, 14, 23, 58)

/** The outside: what goes on whatever becomes of the replicas. */
export const OUTSIDE: Owner = { name: 'outside', isAlive: true }

const DIGEST_CHARACTERS = 16_384

// Kept before they are replaced: a turn of the real event loop is how all promises of an event are waited for.
const realSetImmediate = setImmediate

/**
 * Virtual time and the order of everything. One event runs at a time; the next begins when no promise of the last one can
 * go on by itself. The seed gives every event its delay and its rank, so it decides who runs next.
 */
export class World {
  readonly random: Random
  /** Whose code runs now: timers that it starts are its own. */
  current: Owner = OUTSIDE
  nowMs = 0
  eventCount = 0
  readonly #queue = new EventQueue()
  readonly #ranks: Random
  readonly #digest = createHash('sha256')
  /** What the digest has not taken yet: many short texts at once cost less. */
  #untaken = ''
  readonly #story: string[] = []
  readonly #keepsStory: boolean

  constructor(seed: number, { keepsStory = false } = {}) {
    this.random = createRandom(seed)
    this.#ranks = this.random.branch('ranks')
    this.#keepsStory = keepsStory
  }

  /** Unix milliseconds. */
  get wallMs(): number {
    return BEGAN_AT_MS + this.nowMs
  }

  after(delayMs: number, owner: Owner, label: string, run: () => void): Event {
    const event: Event = {
      atMs: this.nowMs + Math.max(0, delayMs),
      rank: this.#ranks.fraction(),
      label,
      isCancelled: false,
      run: () => {
        if (!owner.isAlive) return
        this.current = owner
        run()
      },
    }
    this.#queue.add(event)
    return event
  }

  /** Runs one event and everything that follows from it at once. False when there is none. */
  async step(): Promise<boolean> {
    const event = this.#queue.take()
    if (event === undefined) return false
    if (event.isCancelled) return true
    this.nowMs = event.atMs
    this.eventCount += 1
    this.#note(`${event.atMs} ${event.label}\n`)
    event.run()
    await this.drain()
    this.current = OUTSIDE
    return true
  }

  /** Until every promise waits for an event. */
  drain(): Promise<void> {
    return new Promise((resolve) => realSetImmediate(resolve))
  }

  /** A line of the story that a failed run is told as; it is part of the digest too. */
  tell(who: string, what: string): void {
    this.#note(`${who} ${what}\n`)
    if (this.#keepsStory) this.#story.push(`${timeOf(this.nowMs)}  ${who.padEnd(11)} ${what}`)
  }

  get story(): readonly string[] {
    return this.#story
  }

  /** The same for two runs that did the same. */
  digest(): string {
    this.#digest.update(this.#untaken)
    this.#untaken = ''
    return this.#digest.copy().digest('hex').slice(0, 16)
  }

  #note(line: string): void {
    this.#untaken += line
    if (this.#untaken.length < DIGEST_CHARACTERS) return
    this.#digest.update(this.#untaken)
    this.#untaken = ''
  }
}

function timeOf(ms: number): string {
  return `${(ms / 1_000).toFixed(3)} s`.padStart(12)
}
