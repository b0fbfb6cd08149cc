import type { ApiError } from '../../domain/api-error.ts'
import type { BodyGauge } from '../body/body-gauge.ts'
import type { BodyWatch } from '../body/body-rate.ts'
import { SMALL_BYTES } from '../body/json-body.ts'

/** Size of a client's control frame without its content: two bytes and a mask. */
const CONTROL_HEAD_BYTES = 6

/** Counts the bytes of an incomplete event, so that they count as held, and a slow event ends its connection. */
export class FrameMeter {
  readonly #parts: { bodies: BodyGauge; watch: BodyWatch; holder: string }
  readonly #onBad: (why: ApiError | 'too-slow') => void
  #bytes = 0
  #heldBytes = 0
  #endWatch: (() => void) | undefined

  constructor(
    parts: { bodies: BodyGauge; watch: BodyWatch; holder: string },
    onBad: (why: ApiError | 'too-slow') => void,
  ) {
    this.#parts = parts
    this.#onBad = onBad
  }

  /** Called before the bytes are parsed. */
  add(bytes: number): void {
    this.#bytes += bytes
    const { bodies, watch, holder } = this.#parts
    this.#endWatch ??= watch.begin(
      () => this.#bytes,
      () => this.#onBad('too-slow'),
    )
    const more = this.#bytes - this.#heldBytes
    if (this.#bytes <= SMALL_BYTES || more <= 0) return
    const apiError = bodies.take(holder, more)
    if (apiError === undefined) this.#heldBytes += more
    else this.#onBad(apiError)
  }

  /** Removes a control frame, which belongs to no event. */
  removeControl(contentBytes: number): void {
    this.#bytes = Math.max(0, this.#bytes - CONTROL_HEAD_BYTES - contentBytes)
    if (this.#bytes === 0) this.#stopWatch()
  }

  /** Called for a complete event: returns its held bytes, which its request releases. */
  take(): number {
    const held = this.#heldBytes
    this.#bytes = 0
    this.#heldBytes = 0
    this.#stopWatch()
    return held
  }

  end(): void {
    this.#parts.bodies.give(this.#parts.holder, this.take())
  }

  #stopWatch(): void {
    this.#endWatch?.()
    this.#endWatch = undefined
  }
}
