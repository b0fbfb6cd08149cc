import { expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { TaskStore } from '../../../src/ports/tasks.ts'
import { clientOf, textBody } from './call-api.ts'
import { startVideoApi, type VideoApi } from './start-video-api.ts'

type Accept = TaskStore['accept']

async function openApi(
  accept: (answer: Parameters<Accept>[0], real: TaskStore) => ReturnType<Accept>,
): Promise<VideoApi> {
  const api = await startVideoApi({
    around: (store) => ({
      ...store,
      tasks: { ...store.tasks, accept: (answer) => accept(answer, store.tasks) },
    }),
  })
  onTestFinished(() => api.close())
  return api
}

test('a stored ticket whose confirmation was lost is stored once', async () => {
  let attempts = 0
  const api = await openApi(async (answer, real) => {
    attempts += 1
    const accepted = await real.accept(answer)
    if (attempts === 1) throw new ApiError('store_unavailable')
    return accepted
  })
  const { create, get } = clientOf(api, api.tenant)
  const { status, body } = await create(textBody())
  expect({ status, attempts }).toEqual({ status: 200, attempts: 2 })
  expect(await get(String(body.id))).toMatchObject({ body: { status: 'queued' } })
  expect(api.lines.filter(({ level }) => level === 'error')).toEqual([])
  await api.expectSound()
})

test('an answer after the gateway gave up shows the failed task, free, and is logged', async () => {
  const api = await openApi(async (answer, real) => {
    await real.move({
      ...answer.move,
      status: 'failed',
      error: { code: 'upstream_error', message: 'The answer was lost.' },
    })
    return real.accept(answer)
  })
  const { create } = clientOf(api, api.tenant)
  const { status, body } = await create(textBody())
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { status: 'failed', error: { code: 'upstream_error' } },
  })
  const losses = api.lines.filter(({ event }) => event === 'task.accepted_late')
  expect(losses).toMatchObject([{ level: 'error', fields: { taskId: body.id, provider: 'vendorA' } }])
  expect(await api.moneyOf(api.tenant)).toEqual({ balance: 100_000_000, held: 0 })
  await api.expectSound()
})
