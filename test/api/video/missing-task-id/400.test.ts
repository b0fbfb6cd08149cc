import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('/v1/video/generations/', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test.each(['GET', 'DELETE'])('%s names the missing id', async (method) => {
    const headers = { authorization: `Bearer ${KEY}` }
    const answer = await readAnswer(await fetch(`${edge.url}/v1/video/generations/?x=1`, { method, headers }))
    expectError(answer, 'video', 400, 'missing_parameter')
    expect(JSON.parse(answer.body).error.param).toBe('task_id')
  })

  test('is reported only to clients with a valid key', async () => {
    expectError(await readAnswer(await fetch(`${edge.url}/v1/video/generations/`)), 'video', 401)
  })
})
