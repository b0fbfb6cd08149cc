import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { RawRequest } from '../raw.ts'

export function announcesBody(raw: RawRequest): boolean {
  return raw.headers['transfer-encoding'] !== undefined || announcedBytes(raw) > 0
}

/** Announced length of the body; 0 when it is not announced. */
export function announcedBytes({ headers }: RawRequest): number {
  return Number(headers['content-length'] ?? 0)
}

const TINY_BYTES = 64
const TINY_WEIGHT = 16 * 1024

/** Bytes that a chunk counts against limits. Each tiny chunk in it counts as `TINY_WEIGHT`. */
export function weightOf(chunk: Buffer, tinyChunks = tinyChunksIn(chunk)): number {
  return Math.max(chunk.length, tinyChunks * TINY_WEIGHT)
}

export function tinyChunksIn(chunk: Buffer): number {
  return chunk.length < TINY_BYTES ? 1 : 0
}

export function awaitsContinue({ isContinued, raw }: EdgeRequest): boolean {
  return !isContinued && raw.headers.expect !== undefined && raw.httpVersion === '1.1'
}

/** Asks a client that waits for "100 Continue" to send its body. */
export function sendContinue(request: EdgeRequest, reply: EdgeReply): void {
  if (awaitsContinue(request)) reply.raw.writeContinue()
  request.isContinued = true
}

/** Reads one member of any body; undefined also when the body is not an object. */
export function readMember(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  return Object.getOwnPropertyDescriptor(body, name)?.value
}
