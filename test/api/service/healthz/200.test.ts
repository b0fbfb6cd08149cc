import { expect, onTestFinished, test } from 'vitest'
import { memoryApp } from '../../http-edge/memory-app.ts'
import { startEdge } from '../../http-edge/start-edge.ts'

test('GET /healthz needs nothing but the process', async () => {
  const app = memoryApp({ checkReadiness: () => Promise.reject(new Error('down')) })
  const edge = await startEdge({ app })
  onTestFinished(() => edge.close())
  edge.drain.begin()
  const answer = await fetch(`${edge.url}/healthz`)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: 'ok' })
})
