import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../domain/api-error.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { Step } from '../step.ts'
import type { BodyWatch } from './body-rate.ts'
import { announcedBytes, announcesBody, inviteBody } from './request-body.ts'

const IGNORED_BYTES_MAX = 1024 * 1024

/** The last step of operations without a body: what comes all the same is read and dropped, up to a bound. */
export function ignoreBody(watch: BodyWatch): Step {
  return (request, reply, done) => {
    const { raw } = request
    if (!announcesBody(raw)) return done()
    if (announcedBytes(raw) > IGNORED_BYTES_MAX) return done(new ApiError('body_too_large'))
    dropBody(request, reply, { watch, bytesMax: IGNORED_BYTES_MAX }, (dropped) => {
      if (dropped === 'too-slow') done(new ApiError('request_timeout'))
      else done(dropped === 'whole' ? undefined : new ApiError('body_too_large'))
    })
  }
}

/** Reads a body that is not wanted, without keeping anything, and tells once how that ended. */
export function dropBody(
  request: EdgeRequest,
  reply: EdgeReply,
  { bytesMax, watch }: { bytesMax: number; watch: BodyWatch },
  tell: (dropped: 'whole' | 'broken' | 'too-slow') => void,
): void {
  const { raw } = request
  const slow = Promise.withResolvers<'too-slow'>()
  let bytes = 0
  const endWatch = watch.begin(
    () => bytes,
    () => {
      reply.raw.shouldKeepAlive = false
      slow.resolve('too-slow')
    },
  )
  inviteBody(request, reply)
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const dropped = discard(raw, bytesMax).then((whole) => (whole ? 'whole' : 'broken'))
  Promise.race([dropped, slow.promise]).then((end) => {
    endWatch()
    tell(end)
  })
}

/** Reads on without keeping anything. False when more than `bytesMax` came or the client hung up. */
function discard(raw: IncomingMessage, bytesMax: number): Promise<boolean> {
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
