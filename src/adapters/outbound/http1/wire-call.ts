import type { Dispatcher } from 'undici'
import errors from 'undici/lib/core/errors.js'
import type { WireReplyHead } from './reply-head.ts'
import type { WireRequest, WireRequestHead } from './request-head.ts'

const { RequestAbortedError } = errors

/** Handler of undici, with a method for a reader that may not need the fields of a head. */
export interface WireHandler extends Dispatcher.DispatchHandler {
  /** Called in place of `onResponseStart`. */
  onReplyHead?(head: Pick<WireReplyHead, 'status' | 'headers'>): void
}

interface CallConnection {
  pause(): void
  resume(): void
  destroy(error: Error): void
}

/** One request, its handler, and the handler's controls, which do nothing after the end. */
export class WireCall implements Dispatcher.DispatchController {
  readonly handler: WireHandler
  head: WireRequestHead = { text: '', bodyBytes: 0, isLast: true }
  readonly body: WireRequest['body']
  readonly isHeadRequest: boolean
  readonly holder: string
  #connection: CallConnection | undefined
  #reason: Error | null = null
  #isAborted = false
  #isPaused = false

  constructor(request: WireRequest, handler: WireHandler) {
    this.handler = handler
    this.body = request.body
    this.isHeadRequest = request.method === 'HEAD'
    this.holder = request.holder ?? ''
  }

  get aborted(): boolean {
    return this.#isAborted
  }

  get paused(): boolean {
    return this.#isPaused
  }

  get reason(): Error | null {
    return this.#reason
  }

  start(connection: CallConnection): void {
    this.#connection = connection
    this.handler.onRequestStart?.(this, null)
  }

  end(): void {
    this.#connection = undefined
  }

  pause(): void {
    this.#isPaused = true
    this.#connection?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#connection?.resume()
  }

  abort(reason: Error = new RequestAbortedError()): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#reason = reason
    this.#connection?.destroy(reason)
  }
}
