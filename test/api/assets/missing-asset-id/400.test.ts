import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('/v1/video/assets/', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test('GET names the missing id', async () => {
    const headers = { authorization: `Bearer ${KEY}` }
    const answer = await readAnswer(await fetch(`${edge.url}/v1/video/assets/?x=1`, { headers }))
    expectError(answer, 'video', 400, 'missing_parameter')
    expect(JSON.parse(answer.body).error.param).toBe('asset_id')
  })

  test('is reported only to clients with a valid key', async () => {
    expectError(await readAnswer(await fetch(`${edge.url}/v1/video/assets/`)), 'video', 401)
  })
})
