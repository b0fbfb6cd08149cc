import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListTasks, TaskPage } from '../../../../src/app/video/list-tasks.ts'
import { CALLER } from '../../../caller.ts'
import { KEY, memoryApp } from '../../http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../http-edge/start-edge.ts'

describe('GET /v1/video/generations', () => {
  let edge: Edge
  let page: TaskPage = { tasks: [], nextCursor: undefined }
  let asked: Parameters<ListTasks>[0] | undefined
  const listTasks: ListTasks = async (query) => {
    asked = query
    return page
  }
  beforeAll(async () => {
    edge = await startEdge({ app: memoryApp({ listTasks }) })
  })
  afterAll(() => edge.close())

  const list = async (query = '') => {
    const headers = { authorization: `Bearer ${KEY}` }
    const answer = await fetch(`${edge.url}/v1/video/generations${query}`, { headers })
    expect(answer.status).toBe(200)
    return answer.json()
  }

  test('is an empty page when there is nothing', async () => {
    page = { tasks: [], nextCursor: undefined }
    expect(await list()).toEqual({ object: 'list', data: [], has_more: false, next_cursor: '' })
  })

  test('shows tasks in their compact form and leads to the next page', async () => {
    const running = { id: 'task_2', model: 'vendorA/gen-2.0', createdAtMs: 2_999, completedAtMs: null }
    const ended = { id: 'task_1', model: 'vendorB/gen-v3', createdAtMs: 1_000, completedAtMs: 5_500 }
    page = {
      tasks: [
        { ...running, status: 'running' },
        { ...ended, status: 'failed' },
      ],
      nextCursor: 'next',
    }
    expect(await list()).toEqual({
      object: 'list',
      data: [
        {
          id: 'task_2',
          object: 'video.generation.task',
          created: 2,
          model: 'vendorA/gen-2.0',
          status: 'running',
        },
        {
          id: 'task_1',
          object: 'video.generation.task',
          created: 1,
          model: 'vendorB/gen-v3',
          status: 'failed',
          completed_at: 5,
        },
      ],
      has_more: true,
      next_cursor: 'next',
    })
  })

  test.each(['succeeded', 'failed', 'cancelled'] as const)('shows when a %s task ended', async (status) => {
    page = {
      tasks: [{ id: 't', model: 'm', status, createdAtMs: 0, completedAtMs: 7_000 }],
      nextCursor: undefined,
    }
    expect(await list()).toMatchObject({ data: [{ status, completed_at: 7 }] })
  })

  test.each(['queued', 'running'] as const)('shows no end of a %s task', async (status) => {
    page = {
      tasks: [{ id: 't', model: 'm', status, createdAtMs: 0, completedAtMs: 7_000 }],
      nextCursor: undefined,
    }
    expect(await list()).toHaveProperty('data.0.status', status)
    expect(await list()).not.toHaveProperty('data.0.completed_at')
  })

  test.each([
    ['', { limit: 20, cursor: undefined }],
    ['?limit=0', { limit: 20, cursor: undefined }],
    ['?limit=1', { limit: 1, cursor: undefined }],
    ['?limit=007', { limit: 7, cursor: undefined }],
    ['?limit=100', { limit: 100, cursor: undefined }],
    ['?limit=101', { limit: 100, cursor: undefined }],
    [`?limit=${'9'.repeat(400)}`, { limit: 100, cursor: undefined }],
    ['?limit=%35&cursor=a%20b', { limit: 5, cursor: 'a b' }],
    ['?cursor=', { limit: 20, cursor: undefined }],
    ['?other=1&limit=2', { limit: 2, cursor: undefined }],
  ])('%s asks for %o', async (query, expected) => {
    await list(query)
    expect(asked).toEqual({ ...expected, caller: CALLER })
  })
})
