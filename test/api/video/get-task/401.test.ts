import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /v1/video/generations/{task_id}', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test('without a key is refused, whether or not there is such a task', async () => {
    const answer = await fetch(`${edge.url}/v1/video/generations/task_1`)
    expectError(await readAnswer(answer), 'video', 401, 'invalid_api_key')
  })
})
