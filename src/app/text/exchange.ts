import type { ReplyTokens } from '../../llm/hub/reply-event.ts'
import type { ReplyFailure } from '../../llm/hub/reply-failure.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TextFailure, TextFlow, TextHead, TextReceiver } from '../../ports/text-provider.ts'
import type { LiveReplies, LiveReply } from './live-replies.ts'
import type { Relay, WholeReply } from './relay.ts'
import type { ReplySink } from './reply-sink.ts'
import { refusalOfAnswer, refusalOfReply, refusalOfSilence, type VendorRefusal } from './vendor-refusal.ts'

/** How a call ended: with something for the client, or with a refusal and nothing sent to it. */
export type ExchangeEnd = ServedEnd | { kind: 'refused'; refused: VendorRefusal; reached: boolean }

export interface ServedEnd {
  kind: 'served'
  outcome: 'completed' | 'failed' | 'hung-up'
  tokens: ReplyTokens | undefined
  outputBytes: number
  firstByteMs: number | undefined
  losses: Iterable<string>
}

export interface ExchangeParts {
  sink: ReplySink
  /** Headers of a reply that has come about. */
  headers: Record<string, string>
  clock: Clock
  live: LiveReplies
  /** A stream, or else a whole reply. */
  answer: { kind: 'stream'; relay: Relay } | { kind: 'whole'; read(body: Buffer): WholeReply }
}

/** With a tick every five seconds: after 15 s of silence a sign of life, after 5 min without a reader the end. */
const QUIET_TICKS_MAX = 3
const STALLED_TICKS_MAX = 60

const ERROR_BYTES_MAX = 64 * 1024
const WHOLE_BYTES_MAX = 64 * 1024 * 1024

/**
 * One call to one vendor, from its head to the last byte for the client.
 *
 *   asking -> refusing | collecting | relaying -> over
 *
 * Whoever ends it first decides how it ended: the vendor, the client who hangs up, or we.
 */
export class Exchange implements TextReceiver, LiveReply {
  readonly ended: Promise<ExchangeEnd>
  readonly #parts: ExchangeParts
  readonly #hangUp = new AbortController()
  readonly #startedMs: number
  readonly #resolve: (end: ExchangeEnd) => void
  #state: 'asking' | 'refusing' | 'collecting' | 'relaying' | 'over' = 'asking'
  #head: TextHead | undefined
  #flow: TextFlow | undefined
  #chunks: Buffer[] = []
  #bytes = 0
  #firstByteMs: number | undefined
  #wasSent = false
  #hasBegun = false
  #isPaused = false
  #quietTicks = 0

  constructor(parts: ExchangeParts) {
    const { promise, resolve } = Promise.withResolvers<ExchangeEnd>()
    this.ended = promise
    this.#resolve = resolve
    this.#parts = parts
    this.#startedMs = parts.clock.monotonicMs()
    parts.live.add(this)
    parts.sink.onHangUp(() => this.#endByClient())
    parts.sink.onDrain(() => this.#resume())
  }

  /** Asks the vendor, unless the client is gone already. */
  begin(send: (signal: AbortSignal) => void): void {
    if (this.#state === 'over') return
    this.#wasSent = true
    send(this.#hangUp.signal)
  }

  onHead(head: TextHead, flow: TextFlow): void {
    this.#head = head
    this.#flow = flow
    if (this.#state === 'over') {
      flow.stop('aborted')
      return
    }
    const isGood = head.status >= 200 && head.status < 300
    this.#state = isGood ? (this.#parts.answer.kind === 'stream' ? 'relaying' : 'collecting') : 'refusing'
  }

  onChunk(chunk: Buffer): void {
    this.#firstByteMs ??= this.#parts.clock.monotonicMs() - this.#startedMs
    if (this.#state === 'relaying') this.#relay((relay) => relay.push(chunk))
    else if (this.#state === 'collecting') this.#collect(chunk, WHOLE_BYTES_MAX)
    else if (this.#state === 'refusing') this.#collect(chunk, ERROR_BYTES_MAX)
  }

  onEnd(): void {
    if (this.#state === 'relaying') this.#relay((relay) => relay.close())
    else if (this.#state === 'collecting') this.#answerWhole()
    else if (this.#state === 'refusing') this.#refuse()
  }

  onFailure(failure: TextFailure): void {
    // A "no" whose words were cut is a "no" all the same.
    if (this.#state === 'refusing') this.#refuse()
    else if (this.#state === 'relaying') this.failWith(FAILURES[failure.kind] ?? BROKEN)
    else
      this.#end({ kind: 'refused', refused: refusalOfSilence(failure), reached: failure.taken === 'maybe' })
  }

  /** Ends it from our side: what a stream has begun gets its honest last words. */
  failWith(failure: ReplyFailure): void {
    if (this.#state === 'over') return
    const { answer, sink } = this.#parts
    if (answer.kind === 'stream' && this.#hasBegun) {
      sink.write(answer.relay.fail(failure))
      sink.end()
      this.#serve('failed')
    } else this.#refuseWith(failure)
    this.#flow?.stop('aborted')
    this.#hangUp.abort()
  }

  /** In a silence the client hears that we are still there; a client that takes nothing for long is let go. */
  tick(): void {
    const { answer, sink } = this.#parts
    if (!this.#hasBegun || answer.kind !== 'stream') return
    this.#quietTicks += 1
    if (this.#isPaused) {
      if (this.#quietTicks >= STALLED_TICKS_MAX) sink.cut()
    } else if (this.#quietTicks >= QUIET_TICKS_MAX) {
      this.#quietTicks = 0
      this.#hold(sink.write(answer.relay.keepAlive()))
    }
  }

  #relay(step: (relay: Relay) => Uint8Array | string): void {
    const { answer, sink, headers } = this.#parts
    if (answer.kind !== 'stream') return
    const { relay } = answer
    const bytes = step(relay)
    if (relay.state === 'waiting') return
    if (!this.#hasBegun) {
      if (relay.state === 'failed') {
        this.#flow?.stop('aborted')
        this.#refuseWith(relay.failure ?? BROKEN)
        return
      }
      this.#hasBegun = true
      sink.begin({ status: 200, headers })
    }
    if (bytes.length > 0) {
      this.#quietTicks = 0
      this.#hold(sink.write(bytes))
    }
    if (relay.state === 'flowing') return
    sink.end()
    this.#serve(relay.state === 'ended' ? 'completed' : 'failed')
    // Otherwise the vendor ends its own answer, and its connection can be used again.
    if (relay.endedEarly) this.#flow?.stop('aborted')
  }

  #collect(chunk: Buffer, bytesMax: number): void {
    this.#bytes += chunk.length
    if (this.#bytes <= bytesMax) this.#chunks.push(chunk)
    else if (this.#state === 'refusing') this.#refuse()
    else {
      this.#flow?.stop('too-large')
      this.#refuseWith(TOO_LARGE)
    }
  }

  #answerWhole(): void {
    const { answer, sink, headers } = this.#parts
    if (answer.kind !== 'whole') return
    const reply = answer.read(this.#body())
    if (reply.kind === 'failed') {
      this.#refuseWith(reply.failure)
      return
    }
    const { body, tokens, outputBytes, losses } = reply
    const told = namesOf(losses, headers['x-sluice-losses'])
    sink.begin({
      status: 200,
      headers: told === undefined ? headers : { ...headers, 'x-sluice-losses': told },
      body,
    })
    const firstByteMs = this.#firstByteMs
    this.#end({ kind: 'served', outcome: 'completed', tokens, outputBytes, firstByteMs, losses })
  }

  #refuse(): void {
    const head = this.#head ?? { status: 502, headers: {} }
    this.#end({ kind: 'refused', refused: refusalOfAnswer(head, this.#body()), reached: true })
    this.#flow?.stop('aborted')
  }

  #endByClient(): void {
    if (this.#state === 'over') return
    if (this.#wasSent) this.#serve('hung-up')
    else this.#refuseWith(GONE)
    this.#flow?.stop('aborted')
    this.#hangUp.abort()
  }

  #refuseWith(failure: ReplyFailure): void {
    this.#end({ kind: 'refused', refused: refusalOfReply(failure), reached: this.#wasSent })
  }

  #serve(outcome: ServedEnd['outcome']): void {
    const { answer } = this.#parts
    const { tokens, outputBytes, losses } =
      answer.kind === 'stream' ? answer.relay : { tokens: undefined, outputBytes: 0, losses: [] }
    this.#end({ kind: 'served', outcome, tokens, outputBytes, firstByteMs: this.#firstByteMs, losses })
  }

  #end(end: ExchangeEnd): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#chunks = []
    this.#parts.live.remove(this)
    this.#resolve(end)
  }

  #hold(canTakeMore: boolean): void {
    if (canTakeMore || this.#isPaused) return
    this.#isPaused = true
    this.#flow?.pause()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#quietTicks = 0
    this.#flow?.resume()
  }

  #body(): Buffer {
    const [first] = this.#chunks
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks)
  }
}

const BROKEN: ReplyFailure = { kind: 'broken', message: 'The provider broke off its answer.' }
const TOO_LARGE: ReplyFailure = { kind: 'broken', message: 'The provider sent more than can be taken.' }
const GONE: ReplyFailure = { kind: 'broken', message: 'The client is gone.' }
const TOO_LATE: ReplyFailure = { kind: 'too-late', message: 'The provider fell silent.' }
const FAILURES: Readonly<Record<string, ReplyFailure>> = {
  'timeout-first-byte': TOO_LATE,
  'timeout-idle': TOO_LATE,
  'timeout-total': TOO_LATE,
}

function namesOf(losses: Iterable<string>, known: string | undefined): string | undefined {
  const names = new Set(known?.split(', '))
  for (const loss of losses) names.add(loss)
  return names.size === 0 ? undefined : [...names].join(', ')
}
