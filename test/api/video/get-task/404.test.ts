import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

describe('GET /v1/video/generations/{task_id}', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    client = clientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each([
    'task_1',
    '%00',
    '%ED%A0%80',
    'a%2Fb',
    "'",
    '..%2F',
    '%20',
    'x'.repeat(5_000),
    `task_${'0'.repeat(32)}`,
  ])('there is no task %s', async (id) => {
    const answer = await client.get(id)
    // A path that is not UTF-8 is no address.
    if (answer.status === 400) expectApiError(answer, { status: 400, code: 'malformed_request' })
    else expectApiError(answer, { status: 404, code: 'task_not_found', message: /^Task not found\.$/ })
  })

  test('a task whose create call has no answer yet is unknown', async () => {
    await api.vendors.breakDown({ operation: 'create', times: 1, fault: { kind: 'lose-answer' } })
    await client.create(textBody())
    const [task] = await api.store.tasks.listForOperator({ organizationId: undefined, limit: 1 })
    expect(task?.status).toBe('submitting')
    expectApiError(await client.get(task?.id ?? ''), { status: 404, code: 'task_not_found' })
  })

  test('a task that was deleted after its end is unknown', async () => {
    const id = await client.make(textBody('[instant]'))
    expect(await client.delete(id)).toMatchObject({ status: 200 })
    expectApiError(await client.get(id), { status: 404, code: 'task_not_found' })
  })
})
