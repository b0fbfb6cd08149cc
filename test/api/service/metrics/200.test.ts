import { expect, onTestFinished, test } from 'vitest'
import { startEdge } from '../../http-edge/start-edge.ts'

test('GET /metrics is the Prometheus text format', async () => {
  const edge = await startEdge()
  onTestFinished(() => edge.close())
  const answer = await fetch(`${edge.url}/metrics`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4')
  expect(await answer.text()).toBe('sluice_test 1\n')
})
