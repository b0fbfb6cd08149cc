import { expect, onTestFinished, test } from 'vitest'
import { memoryApp } from '../../http-edge/memory-app.ts'
import { startEdge } from '../../http-edge/start-edge.ts'

test('GET /readyz is not ready without the store', async () => {
  const edge = await startEdge({
    app: memoryApp({
      checkReadiness: async () => ({ store: 'down', cache: 'up', problems: [], warnings: [] }),
    }),
  })
  onTestFinished(() => edge.close())
  const answer = await fetch(`${edge.url}/readyz`)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(await answer.json()).toEqual({ status: 'unavailable', store: 'down', cache: 'up' })
})

test('GET /readyz is not ready while draining, and says so immediately', async () => {
  const edge = await startEdge()
  onTestFinished(() => edge.close())
  expect((await fetch(`${edge.url}/readyz`)).status).toBe(200)
  edge.drain.begin()
  const answer = await fetch(`${edge.url}/readyz`)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toEqual({ status: 'draining', store: 'up', cache: 'up' })
})
