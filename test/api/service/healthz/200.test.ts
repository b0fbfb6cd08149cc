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

test.each([
  ['valid: a proof', 'x'.repeat(43), { status: 'ok', proof: 'p' }],
  ['invalid: no proof', 'x', { status: 'ok' }],
])('GET /healthz 200 with a challenge that is %s', async (_name, challenge, body) => {
  const asked: [string, number][] = []
  const proveGateway = (...question: [string, number]) => {
    asked.push(question)
    return question[0].length === 43 ? 'p' : undefined
  }
  const edge = await startEdge({ app: memoryApp({ proveGateway }) })
  onTestFinished(() => edge.close())
  const answer = await fetch(`${edge.url}/healthz`, { headers: { 'x-sluice-challenge': challenge } })
  expect(await answer.json()).toEqual(body)
  expect(asked).toEqual([[challenge, Number(new URL(edge.url).port)]])
})
