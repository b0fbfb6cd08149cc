import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/** Request on the wire: Node's own, or one of the fast door. */
export interface RawRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
  readonly socket: Socket
  /** Whether the whole body has arrived. */
  readonly complete: boolean
  readonly readableEnded: boolean
  readonly destroyed: boolean
  /** Returns a whole body that came in one chunk and has no listener. Only the fast door's requests have this method. */
  takeWhole?(): Buffer | undefined
  /** `tinyChunks`: count of tiny chunks that `chunk` joins; undefined: it is one chunk of the wire. */
  on(event: 'data', listener: (chunk: Buffer, tinyChunks?: number) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
}

/** Response on the wire: Node's own, or one of the fast door. */
export interface RawReply {
  /** Set when the request was refused while its body was arriving. */
  isRefused?: boolean
  readonly req: RawRequest
  readonly socket: Socket | null
  readonly headersSent: boolean
  readonly statusCode: number
  readonly writableFinished: boolean
  readonly destroyed: boolean
  shouldKeepAlive: boolean
  writeContinue(): unknown
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown
  /** Returns false when the client is slow; `drain` follows. */
  write(bytes: string | Uint8Array, onWritten?: () => void): boolean
  end(): unknown
  end(bytes: string | Uint8Array): unknown
  end(bytes: string, encoding: 'latin1' | 'utf8'): unknown
  destroy(): unknown
  on(event: 'close' | 'drain', listener: () => void): unknown
  once(event: 'close', listener: () => void): unknown
}

/** Whether a header is there more than once. `header` is its name in lower case. */
export function comesTwice(header: string, rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === header.length && name.toLowerCase() === header) count += 1
  }
  return count > 1
}
