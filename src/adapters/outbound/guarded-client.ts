import { Client } from 'undici'
import type { Metrics } from '../../ports/metrics.ts'
import { createAddressCheck } from './address-check.ts'
import { dispatchCall } from './dispatch-call.ts'
import { guardedConnect, type Resolve, resolveWithSystem } from './guarded-connect.ts'
import { readGuardedUrl } from './guarded-url.ts'
import { createPlaces } from './places.ts'
import { receiveWhole, type WholeAnswer } from './whole-answer.ts'

export interface GuardedClientOptions {
  /** `OUTBOUND_ALLOW`: CIDRs that may be reached besides public addresses. */
  allow: readonly string[]
  connections: number
  queueLimit: number
  queueWaitMs: number
  connectTimeoutMs: number
  metrics: Metrics
  /** The system's resolver, unless a test has its own. */
  resolve?: Resolve
}

export interface GuardedCall {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** From the look-up to the last byte. */
  totalTimeoutMs: number
  maxBytes: number
}

/** Calls to addresses that strangers gave us: callbacks and media. A redirect is an answer like any other. */
export interface GuardedClient {
  /** Rejects with `OutboundFailure`; `forbidden` when the URL or where it leads is not allowed. */
  send(call: GuardedCall): Promise<WholeAnswer>
}

/**
 * Every call has a connection of its own, closed at its end: strangers can name any number of hosts, and a
 * connection kept for one of them would be worth less than what it costs to bound them.
 */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const isAllowed = createAddressCheck(options)
  const resolve = options.resolve ?? resolveWithSystem
  const places = createPlaces({ ...options, limit: options.connections })
  options.metrics.watchPool('guarded', () => ({ busy: places.running, idle: 0, waiting: places.waiting }))

  return {
    async send({ url: text, method, headers, body, signal, totalTimeoutMs, maxBytes }) {
      const url = readGuardedUrl(text, isAllowed)
      const leave = await places.take(signal)
      const over = new AbortController()
      const client = new Client(url.origin, {
        connect: guardedConnect({
          isAllowed,
          resolve,
          timeoutMs: options.connectTimeoutMs,
          signal: over.signal,
        }),
        allowH2: false,
        // The total limit covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      try {
        const { receiver, answer } = receiveWhole({ maxBytes })
        const request = {
          path: `${url.pathname}${url.search}`,
          method,
          headers,
          body: body ?? null,
          reset: true,
        }
        dispatchCall({ dispatcher: client, request, signal, totalTimeoutMs, receiver, onFree: () => {} })
        return await answer
      } finally {
        over.abort()
        await client.destroy()
        leave()
      }
    },
  }
}
