import { json } from '../json-schema.ts'
import type { Operation } from '../operation.ts'
import { shareReadiness } from './share-readiness.ts'

const Engine = json.oneOf(['up', 'down'])

const Reply = json.object({
  status: json.oneOf(['ready', 'draining', 'unavailable']),
  store: Engine,
  cache: Engine,
})

export const readyz: Operation = {
  id: 'readyz',
  method: 'GET',
  path: '/readyz',
  area: 'video',
  access: 'open',
  essential: true,
  summary: 'May this process be sent requests?',
  replies: {
    200: { description: 'It may. Without the cache it serves on, under local bounds.', schema: Reply },
    503: { description: 'The store is down, or the process is on its way out.', schema: Reply },
  },
  handle({ app, drain, clock }) {
    const checkReadiness = shareReadiness(() => app.checkReadiness(), clock)
    return async (_request, reply) => {
      const { store, cache } = await checkReadiness()
      const status = drain.draining ? 'draining' : store === 'up' ? 'ready' : 'unavailable'
      if (status !== 'ready') reply.code(503).header('retry-after', '1')
      return { status, store, cache }
    }
  },
}
