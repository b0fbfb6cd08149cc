import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import Pool from 'undici/lib/dispatcher/pool.js'
import type { Http1ClientOptions } from './http1/http1-client.ts'
import type { WireRequest } from './http1/request-head.ts'

/** Alternative to `Http1Client` with undici, with which operators can rule out a fault of our own client. */
export class UndiciClient {
  readonly #pool: Pool

  constructor({
    origin,
    connections,
    connectTimeoutMs,
    lookup,
    headersTimeoutMs,
    bodyTimeoutMs,
  }: Http1ClientOptions) {
    this.#pool = new Pool(origin.origin, {
      connections,
      // One call per connection, so that a cut, a pause or a slow reader of one call never affects another.
      allowH2: false,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs, ...(lookup && { lookup }) },
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
    })
  }

  get idle(): number {
    return this.#pool.stats.free
  }

  dispatch(request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch({ path: request.path, method: request.method, ...bodyOf(request) }, handler)
  }

  destroy(): Promise<void> {
    return this.#pool.destroy()
  }
}

/** Size of the pieces of a large body, because a socket encrypts a whole write in one step. */
const PIECE_BYTES = 256 * 1024

function bodyOf({ headers, body }: WireRequest): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  if (body === null || typeof body === 'string' || body.length <= PIECE_BYTES) return { headers, body }
  return {
    headers: { ...headers, 'content-length': String(body.length) },
    body: Readable.from(piecesOf(body)),
  }
}

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}
