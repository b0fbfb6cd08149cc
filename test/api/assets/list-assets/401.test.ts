import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /v1/video/assets', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge()
  })
  afterAll(() => edge.close())

  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['an unknown key', { authorization: 'Bearer sk-sluice-nobody' }],
    ['the header of the text endpoints', { 'x-api-key': KEY }],
  ])('%s is refused, whatever else is wrong', async (_name, headers) => {
    const answer = await readAnswer(await fetch(`${edge.url}/v1/video/assets`, { method: 'GET', headers }))
    expectError(answer, 'video', 401, 'invalid_api_key')
    expect(JSON.parse(answer.body).error.type).toBe('authentication_error')
  })
})
