import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /v1/video/generations', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test('without a key is refused, however wrong the rest is', async () => {
    const answer = await fetch(`${edge.url}/v1/video/generations?limit=-1`)
    expectError(await readAnswer(answer), 'video', 401, 'invalid_api_key')
  })

  test('with the key of the text endpoints’ header is refused', async () => {
    const answer = await fetch(`${edge.url}/v1/video/generations`, { headers: { 'x-api-key': KEY } })
    expectError(await readAnswer(answer), 'video', 401, 'invalid_api_key')
  })
})
