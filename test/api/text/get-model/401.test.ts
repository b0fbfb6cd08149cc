import { expect, onTestFinished, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { startEdge } from '../../http-edge/start-edge.ts'

test.each(['vendorC/model-4.1', 'vendorC%2Fmodel-4.1'])('GET /v1/models/%s asks for a key', async (path) => {
  const edge = await startEdge()
  onTestFinished(() => edge.close())
  const answer = await readAnswer(await fetch(`${edge.url}/v1/models/${path}`))
  expectError(answer, 'responses', 401, 'invalid_api_key')
  expect(answer.headers['www-authenticate']).toBe('Bearer')
})
