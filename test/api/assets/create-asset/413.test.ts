import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('POST /v1/video/assets', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test('a body over 1 MiB is refused', async () => {
    const answer = await fetch(`${edge.url}/v1/video/assets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }),
    })
    expectError(await readAnswer(answer), 'video', 413, 'body_too_large')
  })
})
