import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /v1/models', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test.each([{}, { 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }])(
    'with %o is refused',
    async (headers) => {
      const answer = await fetch(`${edge.url}/v1/models`, { headers: new Headers(Object.entries(headers)) })
      expectError(await readAnswer(answer), 'responses', 401, 'invalid_api_key')
    },
  )
})
