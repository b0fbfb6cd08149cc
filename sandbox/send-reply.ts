import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { SandboxReply } from './part.ts'

export interface Shape {
  /** Number of bytes of the body before the connection is cut. */
  cutAfterBytes?: number
  bytesPerSecond?: number
}

/** Sends a reply unchanged, or shaped by a fault. Resolves when the last byte was written or the client has left. */
export async function sendReply(
  response: ServerResponse,
  reply: SandboxReply,
  { signal, shape = {} }: { signal: AbortSignal; shape?: Shape },
): Promise<void> {
  const { body = '' } = reply
  const headers: Record<string, string | number> = { ...reply.headers }
  const whole = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : undefined
  if (whole !== undefined && reply.status !== 204 && reply.status !== 304) {
    headers['content-length'] = whole.byteLength
  }
  response.writeHead(reply.status, headers)
  const isShaped = shape.cutAfterBytes !== undefined || shape.bytesPerSecond !== undefined
  if (whole !== undefined && !isShaped) {
    response.end(whole)
    return
  }

  response.flushHeaders()
  if (isShaped) await sendShaped(response, whole ?? body, { signal, shape })
  else await sendPieces(response, body, signal)
  if (shape.cutAfterBytes === undefined && reply.isCut !== true) response.end()
  else cutOff(response)
}

/** Sends every piece unchanged: the cheap path, for hundreds of streams. */
async function sendPieces(
  response: ServerResponse,
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  for await (const piece of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    if (response.destroyed) signal.throwIfAborted()
    if (piece.length > 0 && !response.write(piece)) await once(response, 'drain', { signal })
  }
}

async function sendShaped(
  response: ServerResponse,
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  { signal, shape }: { signal: AbortSignal; shape: Shape },
): Promise<void> {
  let leftBytes = shape.cutAfterBytes ?? Number.POSITIVE_INFINITY
  for await (const piece of piecesOf(body, shape.bytesPerSecond, signal)) {
    const sent = piece.subarray(0, Math.min(piece.byteLength, leftBytes))
    leftBytes -= sent.byteLength
    if (sent.byteLength > 0 && !response.write(sent)) await once(response, 'drain', { signal })
    if (leftBytes === 0) break
  }
}

/** Flushes the written bytes, then breaks the connection in the middle of the answer. */
function cutOff(response: ServerResponse): void {
  response.write('', () => response.destroy())
}

const PIECES_PER_SECOND = 10

async function* piecesOf(
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  bytesPerSecond: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    signal.throwIfAborted()
    const bytes = Buffer.from(chunk)
    if (bytesPerSecond === undefined) {
      yield bytes
      continue
    }
    const size = Math.max(1, Math.floor(bytesPerSecond / PIECES_PER_SECOND))
    for (let at = 0; at < bytes.byteLength; at += size) {
      yield bytes.subarray(at, at + size)
      await wait((size * 1_000) / bytesPerSecond, undefined, { signal })
    }
  }
}
