import { expect, it } from 'vitest'
import { openVendors, type Vendors } from '../open-vendors.ts'
import { createTask, deleteTask, refusal, TASKS } from '../vendor-a-client.ts'

const list = (vendors: Vendors, query = '') => vendors.call('GET', `${TASKS}?${query}`)

async function threeTasks() {
  const vendors = await openVendors()
  const ids: string[] = []
  for (const words of ['[instant]', '[instant] [fail]', '']) {
    ids.push(await createTask(vendors, words))
    vendors.passSeconds(1)
  }
  return { vendors, ids }
}

it('200: every task, newest first', async () => {
  const { vendors, ids } = await threeTasks()
  const items = ids.toReversed().map((id) => ({ id }))
  expect(await list(vendors)).toMatchObject({ status: 200, body: { total: 3, items } })
})

it('200: page by page', async () => {
  const { vendors, ids } = await threeTasks()
  const page = await list(vendors, 'page_num=2&page_size=2')
  expect(page.body).toMatchObject({ total: 3, items: [{ id: ids[0] }] })
})

it('200: by status and by id', async () => {
  const { vendors, ids } = await threeTasks()
  expect((await list(vendors, 'filter.status=failed')).body).toMatchObject({
    total: 1,
    items: [{ id: ids[1], status: 'failed' }],
  })
  const named = `filter.task_ids=${ids[0]}&filter.task_ids=${ids[1]}&filter.task_ids=cgt-1`
  expect((await list(vendors, named)).body).toMatchObject({
    total: 2,
    items: [{ id: ids[1] }, { id: ids[0] }],
  })
})

it('200: without what was deleted', async () => {
  const { vendors, ids } = await threeTasks()
  await deleteTask(vendors, ids[0] ?? '')
  expect((await list(vendors)).body).toMatchObject({ total: 2 })
})

it('200: after a restart only tasks that are named by id', async () => {
  const { vendors, ids } = await threeTasks()
  const again = await vendors.reopen()
  expect((await list(again)).body).toEqual({ total: 0, items: [] })
  expect((await list(again, `filter.task_ids=${ids[0]}`)).body).toMatchObject({ total: 1 })
})

it.each(['page_num=0', 'page_num=x', 'page_size=0', 'page_size=501', 'page_size=1.5'])(
  '400: %s',
  async (query) => {
    const vendors = await openVendors()
    const [param] = query.split('=')
    expect(await list(vendors, query)).toMatchObject({
      status: 400,
      body: refusal('InvalidParameter', param),
    })
  },
)

it('401: without a key', async () => {
  const vendors = await openVendors()
  expect((await vendors.call('GET', TASKS, undefined, { authorization: '' })).status).toBe(401)
})
