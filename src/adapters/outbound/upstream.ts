import type { LookupFunction } from 'node:net'
import { sharesOf } from '../../domain/slot-shares.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { TimeBook } from '../../ports/time-book.ts'
import { type BreakerRules, DEFAULT_BREAKER_RULES } from './breaker.ts'
import { type BreakerSubject, createBreakerKeeper } from './breaker-keeper.ts'
import type { StartCallSpan } from './call-span.ts'
import { dispatchCall } from './dispatch-call.ts'
import { createFairSemaphore, type Release } from './fair-semaphore.ts'
import { Http1Client } from './http1/http1-client.ts'
import type { WireRequest } from './http1/request-head.ts'
import { pathJoiner } from './join-path.ts'
import { NetworkError } from './network-error.ts'
import type { Receiver, Sent } from './receiver.ts'
import { stalledReaders } from './stalled-readers.ts'
import { receiveStreamed, type StreamedAnswer } from './streamed-answer.ts'
import { UndiciClient } from './undici-client.ts'
import { WatchedCall } from './watched-call.ts'
import { receiveWhole, type WholeAnswer } from './whole-answer.ts'

export interface UpstreamOptions {
  /** Name of the provider, as metrics and logs show it. */
  name: string
  /** Address that the operator configured, so any is allowed. Its path is the prefix of every call's path. */
  baseUrl: string
  connections: number
  queueLimit: number
  queueWaitMs: number
  connectTimeoutMs: number
  /** undefined: names are resolved by the system, and may lead to any address. */
  lookup?: LookupFunction | undefined
  firstByteTimeoutMs: number
  idleTimeoutMs: number
  /** `UPSTREAM_CLIENT`: the HTTP/1.1 client. */
  client?: 'lean' | 'undici'
  breaker?: BreakerRules
  /** undefined: each response is read as fast as it arrives. */
  turns?: BodyTurns | undefined
  /** Books the time that responses take, and decides which organization waits for a slot. */
  book?: TimeBook | undefined
  /** Given only when tracing is on. */
  startSpan?: StartCallSpan | undefined
  metrics: Metrics
  log: Log
  clock: Clock
}

export interface UpstreamCall {
  /** Label of metrics and traces, such as `create-task`; it never contains a client's text. */
  operation: string
  /** Organization of the call, by which slots and breakers are shared. */
  holder: string
  /** Model or operation with a breaker of its own; default: `operation`. */
  target?: string
  /** true: the call repeats a failed call of the same request; breakers count the two as one failure. */
  isRepeat?: boolean
  /** Vendor's name of the text model, for traces. */
  model?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string>
  headers: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** Time limit that begins when the call has its slot. Left out: no limit, so a slow response may never end. */
  totalTimeoutMs?: number
}

/** Call that waits for its slot or has just got one. */
interface Sending {
  call: UpstreamCall
  request: WireRequest
  receiver: WatchedCall
}

const NOT_READ = 'responses of this organization were cut because their clients did not read them'
const OVER: Sent = { stop() {} }

/** Sends calls to one configured provider, each once. A caller that retries reads `taken` first. */
export interface Upstream {
  readonly areBreakersClosed: boolean
  /** Tells whether a breaker would refuse a call with this subject now. */
  isOpen(subject: BreakerSubject): boolean
  /** Resolves with the whole answer in memory; rejects with `NetworkError`. */
  request(call: UpstreamCall & { totalTimeoutMs: number; maxBytes: number }): Promise<WholeAnswer>
  /** Resolves with the head; rejects with `NetworkError`, which may also be the error of the body. */
  stream(call: UpstreamCall): Promise<StreamedAnswer>
  /** Sends a call whose response goes to a receiver. The receiver may be called before this function returns. */
  dispatch(call: UpstreamCall, receiver: Receiver): Sent
  /** Called when another upstream replaces this one, which then only finishes its open calls. */
  retire(): void
  /** true while no call is open. */
  readonly isIdle: boolean
  /** Cuts open calls and closes the connections. */
  close(): Promise<void>
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, connections, queueLimit, queueWaitMs, metrics, clock, log, turns, book } = options
  const base = new URL(options.baseUrl)
  const joinPath = pathJoiner(base)
  const shares = sharesOf(connections, 4)
  const queueShares = sharesOf(queueLimit, 8)
  const slots = createFairSemaphore({
    limit: connections,
    queueLimit,
    queueWaitMs,
    limitEach: shares.each,
    reserved: shares.reserved,
    queueLimitEach: queueShares.each,
    queueReserved: queueShares.reserved,
    limitEachWhileOthersWait: Math.ceil(connections / 2),
    usedBy: book?.usedMs,
  })
  const detached = createFairSemaphore({
    limit: Math.ceil(connections / 4),
    queueLimit: 0,
    queueWaitMs: 0,
    limitEach: Math.ceil(connections / 8),
  })
  const readers = stalledReaders({ name, slots, clock, log })
  const breaker = createBreakerKeeper({ ...options, rules: options.breaker ?? DEFAULT_BREAKER_RULES })
  const Client = options.client === 'undici' ? UndiciClient : Http1Client
  const client = new Client({
    origin: base,
    connections,
    connectTimeoutMs: options.connectTimeoutMs,
    lookup: options.lookup,
    headersTimeoutMs: options.firstByteTimeoutMs,
    bodyTimeoutMs: options.idleTimeoutMs,
  })
  metrics.watchPool(`upstream ${name}`, () => ({
    busy: slots.running,
    idle: client.idle,
    waiting: slots.waiting,
  }))

  function dispatch(call: UpstreamCall, receiver: Receiver): Sent {
    const span = options.startSpan?.({ ...call, provider: name, serverAddress: base.hostname })
    const watched = new WatchedCall({ call, provider: name, span, metrics, clock, breaker, receiver })
    try {
      const path = joinPath(call.path, call.query)
      const { method, headers, body = null, holder } = call
      const request = { path, method, headers, body, holder }
      // A call that the breakers refuse now does not enter the queue. `send` asks them again after the wait.
      breaker.refuseWhileOpen(subjectOf(call))
      if (readers.mustPause(holder)) throw new NetworkError('busy', { taken: 'no', reason: NOT_READ })
      const release = slots.takeNow(call.holder)
      const sending = { call, request, receiver: watched }
      return release === undefined ? sendLater(sending) : send(release, sending, call.signal)
    } catch (error) {
      fail(error, watched)
      return OVER
    }
  }

  /** Sends a call when it gets a slot. A call that is stopped while it waits leaves the queue. */
  function sendLater(sending: Sending): Sent {
    const leaving = new AbortController()
    const { signal: callSignal } = sending.call
    const signals = callSignal === undefined ? [leaving.signal] : [callSignal, leaving.signal]
    const signal = AbortSignal.any(signals)
    let sent: Sent | undefined
    const slot = slots.take(signal, sending.call.holder)
    readers.look()
    slot
      .then((release) => {
        sent = send(release, sending, signal)
      })
      .catch((error) => fail(error, sending.receiver))
    return {
      stop(kind) {
        if (sent === undefined) leaving.abort()
        else sent.stop(kind)
      },
      detach: () => sent?.detach?.() === true,
      get isQueued() {
        return sent === undefined
      },
    }
  }

  function send(release: Release, input: Sending, signal: AbortSignal | undefined): Sent {
    const { call, request, receiver } = input
    try {
      receiver.admission = breaker.admit(subjectOf(call))
      const { totalTimeoutMs, holder } = call
      return dispatchCall(client, request, {
        signal,
        totalTimeoutMs,
        headTimeoutMs: options.firstByteTimeoutMs,
        receiver,
        onFree: release,
        readers,
        detached,
        ...{ holder, book, turns },
      })
    } catch (error) {
      if (receiver.admission !== undefined) breaker.report(receiver.admission, 0, 'aborted')
      release()
      throw error
    }
  }

  /** Reports an error to the receiver, because a call that waited has no caller that catches it. */
  function fail(error: unknown, receiver: Receiver): void {
    const failure =
      error instanceof NetworkError ? error : new NetworkError('broken', { taken: 'maybe', cause: error })
    if (failure !== error) log.error('upstream.send_failed', { provider: name, error })
    try {
      receiver.onFailure(failure)
    } catch (fault) {
      log.error('upstream.end_failed', { provider: name, error: fault })
    }
  }

  return {
    get areBreakersClosed() {
      return breaker.areBreakersClosed
    },
    isOpen: breaker.isOpen,
    dispatch,
    request({ maxBytes, ...call }) {
      const { receiver, answer } = receiveWhole({ maxBytes })
      dispatch(call, receiver)
      return answer
    },
    stream(call) {
      const { receiver, answer } = receiveStreamed()
      dispatch(call, receiver)
      return answer
    },
    retire: () => breaker.hide(),
    get isIdle() {
      return slots.running === 0 && slots.waiting === 0
    },
    close: () => client.destroy(),
  }
}

function subjectOf({ operation, target = operation, holder, isRepeat }: UpstreamCall): BreakerSubject {
  return { target, holder, isRepeat }
}
