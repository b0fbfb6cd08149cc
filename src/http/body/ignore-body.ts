import { ApiError } from '../../domain/api-error.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { RawRequest } from '../raw.ts'
import type { Step } from '../step.ts'
import type { BodyWatch } from './body-rate.ts'
import { announcedBytes, announcesBody, sendContinue, weightOf } from './request-body.ts'

const IGNORED_BYTES_MAX = 1024 * 1024

/** Last step of operations without a body: a body that arrives is read and dropped, up to a limit. */
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

/** Reads and drops a body, and reports its end once. */
export function dropBody(
  request: EdgeRequest,
  reply: EdgeReply,
  { bytesMax, watch }: { bytesMax: number; watch: BodyWatch },
  report: (dropped: 'whole' | 'broken' | 'too-slow') => void,
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
  sendContinue(request, reply)
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const dropped = discard(raw, bytesMax).then((whole) => (whole ? 'whole' : 'broken'))
  Promise.race([dropped, slow.promise]).then((end) => {
    endWatch()
    report(end)
  })
}

/** Reads and drops the rest. Returns false when more than `bytesMax` arrived or the client hung up. */
function discard(raw: RawRequest, bytesMax: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let weight = 0
  raw.on('data', (chunk, tinyChunks) => {
    weight += weightOf(chunk, tinyChunks)
    if (weight > bytesMax) resolve(false)
  })
  raw.on('end', () => resolve(true))
  raw.on('error', () => resolve(false))
  raw.on('close', () => resolve(false))
  return promise
}
