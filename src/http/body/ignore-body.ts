import { ApiError } from '../../domain/api-error.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
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
  let bytes = 0
  let weight = 0
  let isOver = false
  const end = (dropped: Parameters<typeof report>[0]) => {
    if (isOver) return
    isOver = true
    endWatch()
    report(dropped)
  }
  const endWatch = watch.begin(
    () => bytes,
    () => {
      reply.raw.shouldKeepAlive = false
      end('too-slow')
    },
  )
  sendContinue(request, reply)
  raw.on('data', (chunk, tinyChunks) => {
    bytes += chunk.length
    weight += weightOf(chunk, tinyChunks)
    if (weight > bytesMax) end('broken')
  })
  raw.on('end', () => end('whole'))
  raw.on('error', () => end('broken'))
  raw.on('close', () => end('broken'))
}
