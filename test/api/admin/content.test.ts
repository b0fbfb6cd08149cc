import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleAsset, sampleGroup } from '../../engines/store/sample-asset.ts'
import { begin } from '../../engines/store/sample-task.ts'
import { ADMIN_KEY, type AdminApi, startAdminApi } from './start-admin-api.ts'

let api: AdminApi
let taskId: string
let assetId: string

beforeAll(async () => {
  api = await startAdminApi()
  taskId = await makeTask('a boat [instant]')
  const asset = await post('assets', { url: 'https://a.example/b.png', asset_type: 'Image' })
  assetId = String(asset.id)
})
afterAll(() => api.close())

async function post(path: string, body: object): Promise<{ id?: string; requestId: string | null }> {
  const headers = { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' }
  const url = `${api.url}/v1/video/${path}`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { ...((await answer.json()) as { id?: string }), requestId: answer.headers.get('x-request-id') }
}

async function makeTask(text: string): Promise<string> {
  const content = [{ type: 'text', text }]
  return String((await post('generations', { model: 'vendorA/gen-2.0', content, duration: 4 })).id)
}

function open(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${api.url}/admin/v1${path}`, { headers: { 'x-admin-key': ADMIN_KEY, ...headers } })
}

const openTask = (headers: Record<string, string> = {}) => open(`/tasks/${taskId}/content`, headers)
const errorOf = async (answer: Response) => (await answer.json()) as { error: string }

test('GET /tasks/{id}/content 200: the video itself, and no header of the vendor', async () => {
  await expect.poll(async () => (await openTask()).status).toBe(200)
  const answer = await openTask()
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
})

test('GET /tasks/{id}/content 206 for one range; 200 for an invalid or multiple range; 416 beyond the end', async () => {
  const whole = Buffer.from(await (await openTask()).arrayBuffer())
  const part = await openTask({ range: 'bytes=4-7' })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 4-7/${whole.length}`)
  expect(await part.text()).toBe('ftyp')
  for (const range of ['bytes=0-1,4-7', 'items=1-2', 'bytes=-', `bytes=0-${'9'.repeat(30)}`])
    expect((await openTask({ range })).status).toBe(200)
  expect((await openTask({ range: 'bytes=999999999-' })).status).toBe(416)
})

test('GET /tasks/{id}/content 200: by the request id of the create call too', async () => {
  const content = [{ type: 'text', text: 'a boat [instant]' }]
  const { requestId } = await post('generations', { model: 'vendorA/gen-2.0', content, duration: 4 })
  await expect.poll(async () => (await open(`/tasks/${requestId}/content`)).status).toBe(200)
})

test('HEAD /tasks/{id}/content 200: the vendor is not asked for the video', async () => {
  const asked = async () =>
    (await api.vendor.requests()).filter(({ operation }) => operation === 'clip').length
  const before = await asked()
  const url = (id: string) => `${api.url}/admin/v1/tasks/${id}/content`
  const head = (id: string) => fetch(url(id), { method: 'HEAD', headers: { 'x-admin-key': ADMIN_KEY } })
  const answer = await head(taskId)
  expect([answer.status, answer.headers.get('accept-ranges')]).toEqual([200, 'bytes'])
  expect((await head('none')).status).toBe(404)
  expect(await asked()).toBe(before)
})

test('GET /assets/{id}/content 200: the picture', async () => {
  await expect.poll(async () => (await open(`/assets/${assetId}/content`)).status).toBe(200)
  const answer = await open(`/assets/${assetId}/content`)
  expect(answer.headers.get('content-type')).toMatch(/^image\/(?!svg)/)
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0)
})

test('GET /tasks and /assets 200 with group_id: tasks with the person, and the portraits; 400 for a malformed id', async () => {
  const { organizationId, userId, keyId } = api.tenant
  const group = { organizationId, id: 'group_person', kind: 'person', ticket: 'person-1' } as const
  await api.store.assets.bindPerson(sampleGroup(group), undefined)
  await api.store.assets.create(
    sampleAsset({ id: 'asset_face', organizationId, groupId: group.id }),
    undefined,
  )
  const task = { id: 'task_of_person', organizationId, userId, keyId }
  await begin(api.store, task, { groupIds: [group.id] })
  for (const [list, ids] of [
    ['/tasks?group_id=group_person', ['task_of_person']],
    ['/tasks?group_id=group_other', []],
    ['/assets?group_id=group_person', ['asset_face']],
    ['/assets?group_id=group_other', []],
  ] as const) {
    const { status, body } = await api.ask(`GET ${list}`)
    expect([list, status, (body.data as { id: string }[]).map(({ id }) => id)]).toEqual([list, 200, ids])
  }
  for (const list of ['/tasks', '/assets'])
    expect(await api.ask(`GET ${list}?group_id=a%20b`)).toMatchObject({ status: 400 })
})

test.each(['/tasks/none/content', '/assets/none/content', '/tasks/a%20b/content'])(
  'GET %s 404',
  async (path) => {
    expect((await open(path)).status).toBe(404)
  },
)

test('GET /tasks/{id}/content 409 before the end, and for a task that failed', async () => {
  const slow = await makeTask('a boat [stuck]')
  const failed = await makeTask('a boat [fail] [instant]')
  await expect.poll(async () => (await api.ask(`GET /tasks/${failed}`)).body.status).toBe('failed')
  for (const id of [slow, failed]) {
    const answer = await open(`/tasks/${id}/content`)
    expect(answer.status).toBe(409)
    expect(await errorOf(answer)).toMatchObject({ error: expect.stringContaining('no content') })
  }
})

describe('GET /tasks/{id}/content 502', () => {
  test.each([
    ['a link that is refused', { status: 403 }],
    ['a link that fails', { status: 500 }],
    ['a page in place of media', { status: 200, headers: { 'content-type': 'text/html' }, body: '<script>' }],
    ['a drawing that runs scripts', { status: 200, headers: { 'content-type': 'image/svg+xml' } }],
    ['a redirect to a private address', { status: 302, headers: { location: 'https://10.0.0.1/' } }],
    ['a redirect without TLS', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['a redirect to a file', { status: 302, headers: { location: 'file:///etc/passwd' } }],
  ])('for %s', async (_what, fault) => {
    await api.vendor.breakDown({ operation: 'clip', fault: { kind: 'status', ...fault } })
    const answer = await openTask()
    await api.vendor.clearFaults()
    expect(answer.status).toBe(502)
    expect((await errorOf(answer)).error).not.toMatch(/https?:|127|10\.0/)
  })

  test('for redirects without end', async () => {
    const headers = { location: '?again' }
    await api.vendor.breakDown({ operation: 'clip', fault: { kind: 'status', status: 307, headers } })
    const answer = await openTask()
    await api.vendor.clearFaults()
    expect(answer.status).toBe(502)
  })
})
