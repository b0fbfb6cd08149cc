import type { ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import { BROKEN_OFF } from '../canonical/stream-failures.ts'
import { ReplyScanner, type ScannedReply } from './reply-scanner.ts'
import { spliceBytes } from './splice-bytes.ts'
import { NOT_A_REPLY } from './stream-listener.ts'

/** Usage of a reply that was only scanned. */
export interface ScannedUsage {
  tokens: ReplyTokens | undefined
  vendorUsage: unknown
  outputBytes: number
}

/** Reads the usage of a whole reply from its scan, or the error that the reply is. */
export type ReadScanned = (reply: ScannedReply) => ScannedUsage | StreamError

/**
 * Passes a large whole reply on while it arrives: only its `model` changes, and nothing of it is kept.
 *
 *   waiting -> flowing -> ended | failed
 *
 * A reply that fails after its beginning can only be cut: JSON has no place for an error in its middle.
 */
export class WholeRelay {
  state: 'waiting' | 'flowing' | 'ended' | 'failed' = 'waiting'
  failure: StreamError | undefined
  tokens: ReplyTokens | undefined
  vendorUsage: unknown
  readonly endedEarly = false
  readonly losses: readonly never[] = []
  /** One JSON body, not a stream: it has no keep-alive, and the connection is cut when it fails. */
  readonly isWhole = true
  readonly #scanner: ReplyScanner
  readonly #read: ReadScanned
  readonly #hasText: boolean
  /** `hasText`: its texts are paid output. */
  constructor({ model, read, hasText = true }: { model: string; read: ReadScanned; hasText?: boolean }) {
    this.#scanner = new ReplyScanner({ model })
    this.#read = read
    this.#hasText = hasText
  }

  get outputBytes(): number {
    return this.#hasText ? this.#scanner.outputBytes : 0
  }

  push(chunk: Buffer): Buffer | string {
    if (this.state === 'failed' || this.state === 'ended') return ''
    const edits = this.#scanner.push(chunk)
    if (this.#scanner.isOther) return this.fail(NOT_A_REPLY)
    this.state = 'flowing'
    return spliceBytes(chunk, edits)
  }

  close(): string {
    if (this.state === 'failed' || this.state === 'ended') return ''
    if (!this.#scanner.isWhole) return this.fail(BROKEN_OFF)
    const read = this.#read(this.#scanner)
    if ('kind' in read) return this.fail(read)
    this.tokens = read.tokens
    this.vendorUsage = read.vendorUsage
    this.state = 'ended'
    return ''
  }

  fail(failure: StreamError): string {
    this.state = 'failed'
    this.failure = failure
    return ''
  }

  keepAlive(): string {
    return ''
  }
}
