import type { IncomingMessage } from 'node:http'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'

/** True when the headers say that a body follows. */
export function announcesBody(raw: IncomingMessage): boolean {
  return raw.headers['transfer-encoding'] !== undefined || announcedBytes(raw) > 0
}

/** What the client says it will send; 0 when it does not say. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}

/** True while the client waits for our word before it sends its body. */
export function awaitsInvitation({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1'
}

/** Lets a client that sent `Expect: 100-continue` go on. Until here it could be refused without its body. */
export function inviteBody(request: EdgeRequest, reply: EdgeReply): void {
  if (awaitsInvitation(request.raw)) reply.raw.writeContinue()
}

/** One member of a body that may be anything; undefined also where the body is no object. */
export function readMember(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  return Object.getOwnPropertyDescriptor(body, name)?.value
}
