import type { IncomingMessage } from 'node:http'
import type { onRequestHookHandler } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { announcedBytes, announcesBody, inviteBody } from './request-body.ts'

const IGNORED_BYTES_MAX = 1024 * 1024

/** The last hook of operations without a body: what comes all the same is read and dropped, up to a bound. */
export const ignoreBody: onRequestHookHandler = (request, reply, done) => {
  const { raw } = request
  if (!announcesBody(raw)) return done()
  if (announcedBytes(raw) > IGNORED_BYTES_MAX) return done(new Refusal('body_too_large'))
  inviteBody(request, reply)
  discard(raw, IGNORED_BYTES_MAX).then((whole) => done(whole ? undefined : new Refusal('body_too_large')))
}

/** Reads on without keeping anything. False when more than `bytesMax` came or the client hung up. */
export function discard(raw: IncomingMessage, bytesMax: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let bytes = 0
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) resolve(false)
  })
  raw.on('end', () => resolve(true))
  raw.on('error', () => resolve(false))
  raw.on('close', () => resolve(false))
  return promise
}
