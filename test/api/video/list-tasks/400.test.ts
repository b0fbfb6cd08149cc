import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../../../src/domain/api-error.ts'
import { expectError, readAnswer } from '../../http-edge/answer.ts'
import { KEY, memoryApp } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /v1/video/generations', () => {
  let edge: Edge
  beforeAll(async () => {
    const listTasks = () => Promise.reject(new ApiError('invalid_cursor', { param: 'cursor' }))
    edge = await startEdge({ app: memoryApp({ listTasks }) })
  })
  afterAll(() => edge.close())

  const list = async (query: string) => {
    const headers = { authorization: `Bearer ${KEY}` }
    return readAnswer(await fetch(`${edge.url}/v1/video/generations${query}`, { headers }))
  }

  test.each([
    '-1',
    '-0',
    '1.5',
    '5.0',
    '1e1',
    '0x10',
    '%205',
    '5%20',
    '+5',
    '%2B5',
    '',
    'abc',
    'null',
    'Infinity',
    '%D9%A5',
    '5%00',
    '1&limit=2',
    '5,6',
  ])('limit=%s is refused', async (limit) => {
    const answer = await list(`?limit=${limit}`)
    expectError(answer, 'video', 400, 'invalid_parameter')
    expect(JSON.parse(answer.body).error.param).toBe('limit')
  })

  test.each(['?cursor=forged', '?cursor=a&cursor=b', '?cursor=%00'])('%s is refused', async (query) => {
    const answer = await list(query)
    expectError(answer, 'video', 400, 'invalid_cursor')
    expect(JSON.parse(answer.body).error.param).toBe('cursor')
  })
})
