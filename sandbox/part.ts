import type { IncomingHttpHeaders } from 'node:http'
import type { SandboxClock } from './clock.ts'

/** The stand-in for one vendor. It lives under `/<name>`: that address is the provider's `base_url`. */
export interface SandboxPart {
  name: string
  routes: readonly SandboxRoute[]
  /** Counts of the part's own, for `GET /_sandbox/<name>`. */
  counts?(): Readonly<Record<string, number>>
  /** What a task that succeeded will be billed by; undefined: nothing. */
  measure?(id: string, clock: SandboxClock): Measured | undefined
  /** Stops what the part does on its own, such as sending notices. */
  close?(): void
}

export interface Measured {
  unit: 'token' | 'second' | 'credit'
  quantity: number
}

export interface SandboxRoute {
  /** The word that fault rules and the request log use. */
  operation: string
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  /** Below the part's own address, with `:name` for parameters. */
  path: string
  /** Query values that a request must carry; for vendors who name the action there. */
  query?: Readonly<Record<string, string>>
  /** The request log shows these headers, and the beginning of the body. Left out: neither. */
  logged?: readonly string[]
  handle(request: SandboxRequest): SandboxReply | Promise<SandboxReply>
}

export interface SandboxRequest {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  clock: SandboxClock
  /** The part's own address, for links in answers. */
  url: string
  /** Aborted when the client has gone or the sandbox closes. */
  signal: AbortSignal
}

export interface SandboxReply {
  status: number
  headers?: Readonly<Record<string, string>>
  /** A stream is sent piece by piece, as the vendor would. */
  body?: string | Uint8Array | AsyncIterable<string | Uint8Array>
  /** After the body the connection breaks, as if more had been meant to come. */
  isCut?: boolean
}

export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): SandboxReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: `${JSON.stringify(value)}\n`,
  }
}
