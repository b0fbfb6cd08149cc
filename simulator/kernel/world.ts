import { createHash } from 'node:crypto'
import { type Event, EventQueue } from './event-queue.ts'
import { createRandom, type Random } from './random.ts'

/** A process of the simulated deployment. Events of a crashed one never run. */
export interface Owner {
  readonly name: string
  isAlive: boolean
}

/** Wall clock at the beginning of a run: an evening, so that midnight comes during long runs. */
const BEGAN_AT_MS = Date.UTC(2026, 2, 14, 23, 58)

/** The outside world: its events run whatever happens to the replicas. */
export const OUTSIDE: Owner = { name: 'outside', isAlive: true }

const DIGEST_CHARACTERS = 16_384

// Kept before it is replaced: a turn of the real event loop waits for all promises of an event.
const realSetImmediate = setImmediate

/**
 * Virtual time and the order of everything. One event runs at a time; the next begins when no promise of the last one can
 * continue by itself. The seed gives every event its delay and its rank, and so decides the order.
 */
export class World {
  readonly random: Random
  /** Owner of the running code: it owns the timers that the code starts. */
  current: Owner = OUTSIDE
  nowMs = 0
  eventCount = 0
  readonly #queue = new EventQueue()
  readonly #ranks: Random
  readonly #digest = createHash('sha256')
  /** Text that the digest has not taken yet: one update with many short texts costs less. */
  #untaken = ''
  readonly #lines: string[] = []
  readonly #keepsTrace: boolean

  constructor(seed: number, { keepsTrace = false } = {}) {
    this.random = createRandom(seed)
    this.#ranks = this.random.branch('ranks')
    this.#keepsTrace = keepsTrace
  }

  /** Wall clock in Unix milliseconds. */
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

  /** Runs one event, and the promises that need no other event. Returns false when the queue is empty. */
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

  /** Waits until every promise waits for an event. */
  drain(): Promise<void> {
    return new Promise((resolve) => realSetImmediate(resolve))
  }

  /** Adds a line to the trace of the run, which a failed run prints; it is part of the digest too. */
  trace(who: string, what: string): void {
    this.#note(`${who} ${what}\n`)
    if (this.#keepsTrace) this.#lines.push(`${timeOf(this.nowMs)}  ${who.padEnd(11)} ${what}`)
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** Two runs with the same events have the same digest. */
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
