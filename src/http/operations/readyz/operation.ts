import type { Readiness } from '../../../app/check-readiness.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { Clock } from '../../../ports/clock.ts'
import { openOperation } from '../../operation.ts'

const Engine = json.oneOf(['up', 'down'])

const Reply = json.object({
  status: json.oneOf(['ready', 'draining', 'unavailable']),
  store: Engine,
  cache: Engine,
  problems: json.optional(json.array(json.string())),
  warnings: json.optional(json.array(json.string())),
})

export const readyz = openOperation('readyz', 'GET /readyz', {
  essential: true,
  summary: 'May this process be sent requests?',
  replies: {
    200: {
      description: 'The process serves requests. Without the cache each process counts limits by itself.',
      schema: Reply,
    },
    503: {
      description:
        'The store cannot be read and written, `problems` says what is wrong, or the process is stopping.',
      schema: Reply,
    },
  },
  handle({ app, drain, clock }) {
    const checkReadiness = shareReadiness(() => app.checkReadiness(), clock)
    return async (_request, reply) => {
      const { store, cache, problems, warnings } = await checkReadiness()
      const canServe = store === 'up' && problems.length === 0
      const status = drain.draining ? 'draining' : canServe ? 'ready' : 'unavailable'
      if (status !== 'ready') reply.code(503).header('retry-after', '1')
      return {
        ...{ status, store, cache },
        ...(problems.length === 0 ? {} : { problems }),
        ...(warnings.length === 0 ? {} : { warnings }),
      }
    }
  },
})

const KEEP_MS = 1_000

/** Shares a running check, and keeps its answer for a second. */
export function shareReadiness(ask: () => Promise<Readiness>, clock: Clock): () => Promise<Readiness> {
  let latest: { answer: Promise<Readiness>; untilMs: number } | undefined
  return () => {
    if (latest !== undefined && clock.monotonicMs() < latest.untilMs) return latest.answer
    const check = { answer: ask(), untilMs: Number.POSITIVE_INFINITY }
    latest = check
    const keep = () => {
      check.untilMs = clock.monotonicMs() + KEEP_MS
    }
    check.answer.then(keep, keep)
    return check.answer
  }
}
