import { Readable } from 'node:stream'
import type { LiveListener, LiveRequest } from '../../../app/live-requests.ts'
import { ApiError } from '../../../domain/api-error.ts'
import type { AdminAccess } from '../../admin/admin-key-check.ts'
import { ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import { findCaller } from '../../admin/find-caller.ts'
import { operatorOperation } from '../../operation.ts'
import { readQuery } from '../../schema/read-by-schema.ts'

/** Buffer limit for a slow operator; further requests are dropped and counted. */
const WAITING_BYTES_MAX = 64 * 1024
const KEEP_ALIVE_MS = 10_000

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

const FILTER = Object.fromEntries(
  Object.entries(ORGANIZATION_FILTER).map(([name, { schema }]) => [name, schema]),
)

export const live = operatorOperation('adminWatchRequests', 'GET /admin/v1/live', {
  role: 'viewer',
  summary: 'Watch requests as they end',
  description:
    'Server-sent events of all replicas that share a Redis, else of the process that answers: `request` for each request, without keys, prompts and replies; `dropped` with a count where the reader was too slow, or a replica too busy to send all of them. The stream ends when the token is revoked or the process stops.',
  query: ORGANIZATION_FILTER,
  replies: {
    200: { description: 'A stream that does not end by itself.', contentType: 'text/event-stream' },
    400: { description: 'A parameter is not allowed.' },
    503: {
      description:
        'Too many operators watch already, this operator watches on four pages, or the gateway is busy.',
    },
  },
  head: { status: 200, headers: HEADERS },
  serve({ app, admin, drain }, request, reply) {
    const organizationId = readQuery(request.query, FILTER).textOr('organization_id', undefined)
    const stream = new Readable({ read() {}, highWaterMark: WAITING_BYTES_MAX })
    let dropped = 0
    const listener: LiveListener = {
      request(finished) {
        if (organizationId !== undefined && finished.organizationId !== organizationId) return
        if (isFull()) dropped += 1
        else stream.push(`${takeDropped()}${frameOf('request', requestJson(finished))}`)
      },
      dropped(count) {
        dropped += count
        if (!isFull()) stream.push(takeDropped())
      },
    }
    const stop = app.listenToRequests(listener, request.admin?.actor ?? '')
    if (stop === undefined) throw new ApiError('overloaded')
    const end = () => void stream.push(null)
    const timer = setInterval(() => void keepAlive(), KEEP_ALIVE_MS)
    drain.leaving.addEventListener('abort', end)
    stream.once('close', () => {
      stop()
      clearInterval(timer)
      drain.leaving.removeEventListener('abort', end)
    })
    stream.push(': watching\n\n')
    if (drain.draining) end()
    return reply.headers(HEADERS).send(stream)

    function isFull(): boolean {
      return stream.readableLength > WAITING_BYTES_MAX
    }

    function takeDropped(): string {
      const count = dropped
      dropped = 0
      return count === 0 ? '' : frameOf('dropped', { count })
    }

    /** Ends the stream when the token was revoked or the session has ended. Listening renews no session. */
    async function keepAlive(): Promise<void> {
      const isRevoked = admin === undefined || (await findAgain(admin)) === undefined
      if (stream.destroyed || stream.readableEnded) return
      if (isRevoked) end()
      else if (!isFull()) stream.push(`${takeDropped()}: keep-alive\n\n`)
    }

    /** Returns null when the store is unreachable. */
    async function findAgain(admin: AdminAccess): Promise<unknown> {
      try {
        return await findCaller(request.raw, { admin, app, takesCookie: true })
      } catch {
        return null
      }
    }
  },
})

function frameOf(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function requestJson(finished: LiveRequest): object {
  return {
    request_id: finished.requestId,
    at: new Date(finished.atMs).toISOString(),
    operation: finished.operation,
    method: finished.method,
    status: finished.status,
    duration_ms: Math.round(finished.durationMs),
    organization_id: finished.organizationId ?? null,
    key_id: finished.keyId ?? null,
    model: finished.servedBy ?? null,
    error_code: finished.code ?? null,
  }
}
