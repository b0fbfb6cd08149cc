import type { Dispatcher } from 'undici'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { TimeBook } from '../../ports/time-book.ts'
import type { FairSemaphore, Release } from './fair-semaphore.ts'
import type { WireHandler } from './http1/wire-call.ts'
import { type FailureKind, NetworkError } from './network-error.ts'
import { readUndiciError } from './read-undici-error.ts'
import type { Flow, Head, Receiver, Sent } from './receiver.ts'
import type { StalledReaders } from './stalled-readers.ts'

interface Client<Request> {
  dispatch(request: Request, handler: WireHandler): unknown
}

interface DispatchParts {
  signal: AbortSignal | undefined
  totalTimeoutMs: number | undefined
  /** Time limit from an interim response (1xx) to the response, for HTTP clients that restart their timer at a 1xx. */
  headTimeoutMs?: number
  receiver: Receiver
  onFree(): void
  /** Records the pauses of the response. */
  readers?: StalledReaders
  /** Slots of calls whose clients have left. */
  detached?: Pick<FairSemaphore, 'takeNow'>
  holder?: string
  /** Books the time that the response takes. */
  book?: Pick<TimeBook, 'begin'> | undefined
  /** undefined: the response is read as fast as it arrives. */
  turns?: Pick<BodyTurns, 'take'> | undefined
}

/** Bytes after which a response waits for its turn (`BodyTurns`), because a vendor may be faster than the gateway. */
const TURN_BYTES = 64 * 1024
/** Minimum size of a chunk that counts for turns. Shorter chunks arrive at the pace of a model. */
const BULK_BYTES = 8 * 1024

/**
 * Sends one request over a client and reports to a `Receiver`. A stop, an abort or the total limit ends the call for
 * the receiver immediately. `onFree` is called when the HTTP client has released the call too, perhaps later.
 */
export function dispatchCall<Request>(client: Client<Request>, request: Request, parts: DispatchParts): Sent {
  const call = new DispatchedCall(parts)
  const { signal, onFree } = parts
  if (signal?.aborted) {
    call.stop('aborted')
    onFree()
    return call
  }
  try {
    client.dispatch(request, call)
  } catch (error) {
    // The caller gets the error from here, so no timer may report a second end to the receiver.
    call.close()
    throw error
  }
  return call
}

/** Call that the HTTP client reports to, the receiver pauses and resumes, and the sender stops. */
class DispatchedCall implements WireHandler, Flow, Sent {
  readonly #receiver: Receiver
  readonly #onFree: () => void
  readonly #signal: AbortSignal | undefined
  readonly #onAbort: (() => void) | undefined
  readonly #timer: NodeJS.Timeout | undefined
  readonly #headTimeoutMs: number
  #headTimer: NodeJS.Timeout | undefined
  readonly #readers: StalledReaders | undefined
  readonly #detached: DispatchParts['detached']
  #releaseDetached: Release | undefined
  readonly #holder: string
  readonly #book: DispatchParts['book']
  readonly #turns: Pick<BodyTurns, 'take'> | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #wasPaused = false
  #isPaused = false
  #waitsForTurn = false
  #turnBytes = 0

  constructor(parts: DispatchParts) {
    const { receiver, onFree, signal, totalTimeoutMs } = parts
    this.#receiver = receiver
    this.#readers = parts.readers
    this.#detached = parts.detached
    this.#headTimeoutMs = parts.headTimeoutMs ?? 0
    this.#holder = parts.holder ?? ''
    this.#book = parts.book
    this.#turns = parts.turns
    this.#onFree = onFree
    if (signal !== undefined) {
      this.#signal = signal
      this.#onAbort = () => this.stop('aborted')
      signal.addEventListener('abort', this.#onAbort, { once: true })
    }
    if (totalTimeoutMs !== undefined)
      this.#timer = setTimeout(() => this.stop('timeout-total'), totalTimeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) controller.abort(new Error('stopped before it was sent'))
    else this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200) {
      clearTimeout(this.#headTimer)
      this.onReplyHead({ status, headers })
    } else if (this.#headTimeoutMs > 0 && !this.#isOver)
      this.#headTimer ??= setTimeout(() => this.stop('timeout-first-byte'), this.#headTimeoutMs)
  }

  onReplyHead(head: Head): void {
    this.#book?.begin(this.#holder)
    if (!this.#isOver) this.#receiver.onHead(head, this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#book?.begin(this.#holder)
    this.#receiver.onChunk(chunk)
    if (chunk.length < BULK_BYTES) return
    this.#turnBytes += chunk.length
    if (this.#turnBytes >= TURN_BYTES) this.#waitForTurn()
  }

  onResponseEnd(): void {
    this.#book?.begin(this.#holder)
    if (this.close()) endReceiver(this.#receiver)
    this.#free()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const wasSent = this.#controller !== undefined
    if (this.close()) this.#receiver.onFailure(readUndiciError(error, { wasSent }))
    this.#free()
  }

  detach(): boolean {
    this.#releaseDetached ??= this.#detached?.takeNow(this.#holder)
    return this.#releaseDetached !== undefined
  }

  #free(): void {
    this.#releaseDetached?.()
    this.#onFree()
  }

  pause(): void {
    if (!this.#isOver && this.#readers !== undefined) {
      this.#wasPaused = true
      this.#readers.paused(this, this.#holder)
    }
    this.#isPaused = true
    this.#controller?.pause()
  }

  resume(): void {
    if (this.#wasPaused) this.#readers?.resumed(this)
    this.#isPaused = false
    if (!this.#waitsForTurn) this.#controller?.resume()
  }

  #waitForTurn(): void {
    this.#turnBytes = 0
    if (this.#turns === undefined || this.#waitsForTurn || this.#isOver) return
    this.#waitsForTurn = true
    let isHeld = false
    this.#turns.take(this.#holder, () => {
      this.#waitsForTurn = false
      if (isHeld && !this.#isPaused && !this.#isOver) this.#controller?.resume()
    })
    isHeld = this.#waitsForTurn
    if (isHeld) this.#controller?.pause()
  }

  stop(kind: FailureKind): void {
    const taken = this.#controller === undefined ? 'no' : 'maybe'
    if (this.close()) this.#receiver.onFailure(new NetworkError(kind, { taken }))
    this.#controller?.abort(new Error(`stopped: ${kind}`))
  }

  /** Returns true for the first caller, which then reports the end. */
  close(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#timer)
    clearTimeout(this.#headTimer)
    if (this.#wasPaused) this.#readers?.ended(this)
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener('abort', this.#onAbort)
    return true
  }
}

/** Reports a failure to a receiver whose `onEnd` throws, so that its caller does not wait forever. */
function endReceiver(receiver: Receiver): void {
  try {
    receiver.onEnd()
  } catch (cause) {
    receiver.onFailure(new NetworkError('broken', { taken: 'maybe', cause }))
  }
}
