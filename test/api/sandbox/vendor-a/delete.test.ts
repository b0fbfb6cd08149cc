import { expect, it } from 'vitest'
import { openVendors } from '../open-vendors.ts'
import { createTask, deleteTask, readTask, refusal, TASKS } from '../vendor-a-client.ts'

it('200: a waiting task is cancelled and stays so', async () => {
  const vendors = await openVendors()
  const id = await createTask(vendors)
  expect(await deleteTask(vendors, id)).toMatchObject({ status: 200, body: {} })
  vendors.passSeconds(1_000)
  expect(await readTask(vendors, id)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
})

it('400: a cancelled task is not cancelled again', async () => {
  const vendors = await openVendors()
  const id = await createTask(vendors)
  await deleteTask(vendors, id)
  expect(await deleteTask(vendors, id)).toMatchObject({
    status: 400,
    body: refusal('InvalidAction.CancelledTaskDeletion', 'id'),
  })
})

it('400: a running task goes on', async () => {
  const vendors = await openVendors()
  const id = await createTask(vendors)
  vendors.passSeconds(30)
  expect(await deleteTask(vendors, id)).toMatchObject({
    status: 400,
    body: refusal('InvalidAction.RunningTaskDeletion', 'id'),
  })
  vendors.passSeconds(100)
  expect((await readTask(vendors, id)).body).toMatchObject({ status: 'succeeded' })
})

it.each(['[instant]', '[instant] [fail]', '[instant] [expire]'])(
  '200: a task that ended %s is gone',
  async (words) => {
    const vendors = await openVendors()
    const id = await createTask(vendors, words)
    expect(await deleteTask(vendors, id)).toMatchObject({ status: 200, body: {} })
    expect((await readTask(vendors, id)).status).toBe(404)
    expect((await deleteTask(vendors, id)).status).toBe(404)
  },
)

it('401 and 404', async () => {
  const vendors = await openVendors()
  const id = await createTask(vendors)
  const authorization = 'Bearer bad-key'
  expect((await vendors.call('DELETE', `${TASKS}/${id}`, undefined, { authorization })).status).toBe(401)
  expect(await deleteTask(vendors, 'cgt-1')).toMatchObject({
    status: 404,
    body: refusal('ResourceNotFound', 'id'),
  })
})
