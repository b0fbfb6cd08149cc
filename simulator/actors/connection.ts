import type { ReplySink, SinkHead } from '../../src/app/text/contract/reply-sink.ts'
import { OUTSIDE, type Owner, type World } from '../kernel/world.ts'
import type { Faults } from '../parts/faults.ts'

/** Parts of a reply that a client has when its connection is over. */
export interface Received {
  /** undefined: not even a status came. */
  status: number | undefined
  /** Code of an error. */
  code: string | undefined
  text: string
  /** Whether the gateway ended the reply. */
  isWhole: boolean
  hungUp: boolean
}

const JOURNEY_MS_MAX = 20

/** A client's connection to one replica, over a network that delays what is sent and keeps its order. */
export class Connection implements ReplySink {
  readonly #world: World
  readonly #owner: Owner
  readonly #faults: Faults
  readonly #onOver: (received: Received) => void
  readonly #hangUpAtBytes: number
  readonly #received: Received = {
    status: undefined,
    code: undefined,
    text: '',
    isWhole: false,
    hungUp: false,
  }
  #lastArrivalMs = 0
  #isOver = false
  #isCloseTold = false
  #drained = () => {}
  readonly #closeListeners: (() => void)[] = []

  constructor({
    world,
    owner,
    faults,
    onOver,
    hangUpAtBytes,
  }: {
    world: World
    owner: Owner
    faults: Faults
    onOver: (received: Received) => void
    /** Number of bytes after which the client leaves. */
    hangUpAtBytes: number
  }) {
    this.#world = world
    this.#owner = owner
    this.#faults = faults
    this.#onOver = onOver
    this.#hangUpAtBytes = hangUpAtBytes
  }

  /** Whether the client has all bytes that it will get. */
  get isOver(): boolean {
    return this.#isOver
  }

  begin({ status, body }: SinkHead): void {
    this.#arrive(() => {
      this.#received.status = status
    })
    if (body === undefined) return
    this.write(body)
    this.end()
  }

  write(bytes: string | Uint8Array): boolean {
    const text = Buffer.from(bytes).toString('utf8')
    this.#arrive(() => {
      this.#received.text += text
      if (this.#received.text.length >= this.#hangUpAtBytes) this.hangUp()
    })
    if (!this.#faults.happens('slow-reader', 0.02)) return true
    this.#world.after(this.#faults.random.whole(10, 3_000), this.#owner, 'client drains', () =>
      this.#drained(),
    )
    return false
  }

  end(): void {
    this.#arrive(() => {
      this.#received.isWhole = true
      this.#over()
    })
    this.#tellClosed(JOURNEY_MS_MAX)
  }

  /** The HTTP layer answers with an error. */
  refuse({ status, code }: { status: number; code: string }): void {
    this.#arrive(() => {
      this.#received.status = status
      this.#received.code = code
      this.#over()
    })
    this.#tellClosed(JOURNEY_MS_MAX)
  }

  cut(): void {
    this.#arrive(() => this.#over())
    this.#tellClosed(0)
  }

  onDrain(listener: () => void): void {
    this.#drained = listener
  }

  onClose(listener: () => void): void {
    this.#closeListeners.push(listener)
    if (this.#isCloseTold) this.#world.after(0, this.#owner, 'connection closed', listener)
  }

  hangUp(): void {
    if (this.#isOver) return
    this.#received.hungUp = true
    this.#over()
    this.#tellClosed(this.#faults.random.whole(0, JOURNEY_MS_MAX))
  }

  /** The replica is gone. */
  reset(): void {
    this.#arrive(() => this.#over())
  }

  #tellClosed(afterMs: number): void {
    this.#world.after(afterMs, this.#owner, 'connection closed', () => {
      if (this.#isCloseTold) return
      this.#isCloseTold = true
      for (const listener of this.#closeListeners) listener()
    })
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onOver(this.#received)
  }

  /** Runs in the order of sending. */
  #arrive(take: () => void): void {
    const at = Math.max(
      this.#lastArrivalMs + 0.001,
      this.#world.nowMs + this.#faults.random.fraction() * JOURNEY_MS_MAX,
    )
    this.#lastArrivalMs = at
    this.#world.after(at - this.#world.nowMs, OUTSIDE, 'client receives', () => {
      if (!this.#isOver) take()
    })
  }
}
