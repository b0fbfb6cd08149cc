import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('POST /v1/video/generations', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test.each([{}, { authorization: 'Bearer sk-sluice-other' }])(
    'with %j is refused before its body is looked at',
    async (headers) => {
      const answer = await fetch(`${edge.url}/v1/video/generations`, { method: 'POST', headers, body: '{' })
      expectError(await readAnswer(answer), 'video', 401, 'invalid_api_key')
    },
  )
})
