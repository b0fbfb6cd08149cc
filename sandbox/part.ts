import type { IncomingHttpHeaders } from 'node:http'
import type { SandboxClock } from './clock.ts'

/** One simulated vendor. It lives under `/<name>`, where the provider's `base_url` or `endpoint` begins. */
export interface SandboxPart {
  name: string
  routes: readonly SandboxRoute[]
  /** Counts of calls, for `GET /_sandbox/text`. */
  counts?(): Readonly<Record<string, number>>
  /** Amount that a successful task is billed by; undefined: nothing. */
  measure?(id: string, clock: SandboxClock): BilledAmount | undefined
  /** Stops background work of the part, such as notices. */
  close?(): void
}

export interface BilledAmount {
  unit: 'token' | 'second' | 'credit'
  quantity: number
}

export interface SandboxRoute {
  /** Name for fault rules and the request log. */
  operation: string
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  /** Path below the part's own address, with `:name` for parameters. */
  path: string
  /** Query values that a request must have; for vendors that name the action there. */
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
  /** Aborted when the client has left or the sandbox closes. */
  signal: AbortSignal
}

export interface SandboxReply {
  status: number
  headers?: Readonly<Record<string, string>>
  /** A stream is sent piece by piece, as the vendor would send it. */
  body?: string | Uint8Array | AsyncIterable<string | Uint8Array>
  /** The connection breaks after a streamed body, as if more were to come; a whole body ignores this. */
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
