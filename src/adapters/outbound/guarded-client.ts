import type { Readable } from 'node:stream'
import Client from 'undici/lib/dispatcher/client.js'
import { createAddressCheck } from '../../domain/addresses/address-check.ts'
import { checkHost } from '../../domain/addresses/literal-address.ts'
import { sharesOf } from '../../domain/slot-shares.ts'
import type { TimeBook } from '../../ports/time-book.ts'
import { checkedLookup } from './checked-lookup.ts'
import { dispatchCall } from './dispatch-call.ts'
import { createFairSemaphore, type Release } from './fair-semaphore.ts'
import { guardedConnect } from './guarded-connect.ts'
import { readGuardedUrl } from './guarded-url.ts'
import { forbidden } from './network-error.ts'
import { readUndiciError } from './read-undici-error.ts'
import type { Receiver } from './receiver.ts'
import { createResolver, type Resolve } from './resolve-name.ts'
import { receiveStreamed, type StreamedAnswer } from './streamed-answer.ts'
import type { UpstreamCall, UpstreamOptions } from './upstream.ts'
import { WatchedCall } from './watched-call.ts'
import { receiveWhole, type WholeAnswer } from './whole-answer.ts'

/** `any` allows every address. `public` allows what the address check allows, at each connect. Neither requires TLS. */
export type OriginTrust = 'any' | 'public'

export interface GuardedClientOptions
  extends Pick<UpstreamOptions, 'queueLimit' | 'queueWaitMs' | 'connectTimeoutMs' | 'metrics' | 'startSpan'> {
  /** `OUTBOUND_ALLOW`: ranges that calls may reach besides public addresses. */
  allow: readonly string[]
  /** Limit for all calls. One host or organization gets at most a quarter of it, and of the queue. */
  connections: number
  /** Books the time that responses take. */
  book?: Pick<TimeBook, 'begin'> | undefined
  /** Default: `createResolver()`. */
  resolve?: Resolve
  /** Trust in an origin that the operator configured; undefined for others. Only `open` uses it. */
  trustOf?: (origin: string) => OriginTrust | undefined
}

export interface GuardedCall extends Pick<UpstreamCall, 'operation' | 'holder' | 'headers' | 'signal'> {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: string | Uint8Array | Readable
  /** Time limit from the name look-up to the last byte. */
  totalTimeoutMs: number
  maxBytes: number
  /** true: the call succeeds with its status; the body is cut at `maxBytes`, and its errors are ignored. */
  statusIsEnough?: true
}

/** Calls addresses of clients and vendors, for callbacks and media, and the media store. Follows no redirects. */
export interface GuardedClient {
  /** Rejects with `NetworkError`, which is `forbidden` when the URL or its address is not allowed. */
  send(call: GuardedCall): Promise<WholeAnswer>
  /**
   * Resolves with the head and streams the body; rejects like `send`. The call ends with its body. Slots are
   * shared by organization only, because the hosts belong to vendors or the operator.
   */
  open(
    call: Omit<GuardedCall, 'maxBytes' | 'statusIsEnough'> & { pauseMsMax?: number },
  ): Promise<StreamedAnswer>
}

/**
 * Opens a connection for every call and closes it at the end. Clients can name any number of hosts, so a
 * limit on kept connections would cost more than reuse saves.
 */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const { connections, queueLimit, queueWaitMs, connectTimeoutMs, metrics } = options
  const isAllowed = createAddressCheck(options)
  const resolve = options.resolve ?? createResolver()
  const bounds = {
    limit: connections,
    queueLimit,
    queueWaitMs,
    limitEach: quarterOf(connections),
    queueLimitEach: quarterOf(queueLimit),
    reserved: sharesOf(connections, 8).reserved,
    queueReserved: sharesOf(queueLimit, 8).reserved,
  }
  // Slots are shared by host, so that a host that never answers does not hold all.
  const slots = createFairSemaphore(bounds)
  // Slots are also shared by organization, because one organization can name any number of hosts.
  const holders = createFairSemaphore(bounds)
  metrics.watchPool('guarded', () => ({
    busy: holders.running - slots.waiting,
    idle: 0,
    waiting: holders.waiting + slots.waiting,
  }))

  const lookup = checkedLookup(isAllowed)

  function readTrustedUrl(text: string): { url: URL; connect: Client.Options['connect'] } | undefined {
    const url = URL.parse(text)
    const trust = url === null ? undefined : options.trustOf?.(url.origin)
    if (url === null || trust === undefined) return undefined
    // `lookup` checks only addresses of names, so a literal address is checked here.
    if (trust === 'public' && checkHost(url, isAllowed) === 'forbidden')
      throw forbidden('address not allowed')
    return { url, connect: { timeout: connectTimeoutMs, ...(trust === 'public' && { lookup }) } }
  }

  /** Begins a call. Returns a function that releases its connection and slots. */
  async function begin(
    call: Omit<GuardedCall, 'maxBytes'>,
    bare: Receiver,
    { isOfVendor }: { isOfVendor: boolean },
  ): Promise<() => Promise<void>> {
    const serverAddress = URL.parse(call.url)?.hostname ?? ''
    const span = options.startSpan?.({ ...call, provider: 'guarded', serverAddress })
    const clock = { monotonicMs: () => performance.now() }
    const receiver = new WatchedCall({ call, provider: 'guarded', span, metrics, clock, receiver: bare })
    const over = new AbortController()
    const releases: Release[] = []
    let client: Client | undefined
    let lookUp: Promise<unknown> | undefined
    const trackedResolve: Resolve = (hostname, signal) => {
      const addresses = resolve(hostname, signal)
      lookUp = addresses
      return addresses
    }
    try {
      const trusted = isOfVendor ? readTrustedUrl(call.url) : undefined
      const url = trusted?.url ?? readGuardedUrl(call.url, isAllowed)
      releases.push(await holders.take(call.signal, call.holder))
      // A name with a final dot, or with another port, is the same host.
      if (!isOfVendor) releases.push(await slots.take(call.signal, url.hostname.replace(/\.$/, '')))
      client = new Client(url.origin, {
        connect:
          trusted?.connect ??
          guardedConnect({
            isAllowed,
            resolve: trackedResolve,
            timeoutMs: connectTimeoutMs,
            signal: over.signal,
          }),
        allowH2: false,
        // The total limit covers head and body.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      const { method, headers, body = null, signal, totalTimeoutMs } = call
      const request = { path: `${url.pathname}${url.search}`, method, headers, body, reset: true }
      const parts = { signal, totalTimeoutMs, receiver, holder: call.holder, book: options.book }
      dispatchCall(client, request, { ...parts, onFree: () => {} })
    } catch (error) {
      receiver.onFailure(readUndiciError(error, { wasSent: false }))
    }
    return async () => {
      over.abort()
      await client?.destroy()
      // A look-up that outlives the call uses resources, so its slots stay taken.
      Promise.allSettled([lookUp]).then(() => {
        for (const release of releases) release()
      })
    }
  }

  return {
    async send(call) {
      const { receiver, answer } = receiveWhole(call)
      const end = await begin(call, receiver, { isOfVendor: false })
      try {
        return await answer
      } finally {
        await end()
      }
    },
    async open(call) {
      const { receiver, answer } = receiveStreamed(call)
      const end = await begin(call, receiver, { isOfVendor: true })
      try {
        const streamed = await answer
        streamed.body.once('close', () => void end())
        return streamed
      } catch (error) {
        await end()
        throw error
      }
    },
  }
}

function quarterOf(count: number): number {
  return Math.max(1, Math.floor(count / 4))
}
