import { expect, onTestFinished, test } from 'vitest'
import { memoryApp } from '../../http-edge/memory-app.ts'
import { startEdge } from '../../http-edge/start-edge.ts'

test.each(['up', 'down'] as const)(
  'GET /readyz is ready with the store up and the cache %s',
  async (cache) => {
    const edge = await startEdge({
      app: memoryApp({ checkReadiness: async () => ({ store: 'up', cache, problems: [], warnings: [] }) }),
    })
    onTestFinished(() => edge.close())
    const answer = await fetch(`${edge.url}/readyz`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ status: 'ready', store: 'up', cache })
  },
)
