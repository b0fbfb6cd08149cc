import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextApi, type TextApi } from '../../api/text/start-text-api.ts'

let api: TextApi
beforeAll(async () => {
  api = await startTextApi({ sandboxSpeed: 2_000 })
})
afterAll(() => api.close())

/** Runs the lines of the vendor's documentation, with another address, key and model. */
async function curl(...words: string[]): Promise<Record<string, unknown>> {
  const head = [
    '-sS',
    '-H',
    'Content-Type: application/json',
    '-H',
    `Authorization: Bearer ${api.tenant.key}`,
  ]
  const { stdout } = await promisify(execFile)('curl', [...head, ...words])
  return JSON.parse(stdout)
}

const tasks = () => `${api.url}/api/v3/contents/generations/tasks`

test.each([
  ['text', { content: [{ type: 'text', text: 'A kitten yawns --ratio 16:9' }] }],
  [
    'its first frame',
    {
      content: [
        { type: 'text', text: 'It moves' },
        { type: 'image_url', image_url: { url: 'https://client.example/a.png' }, role: 'first_frame' },
      ],
      ratio: '16:9',
      duration: 5,
      watermark: false,
    },
  ],
])('curl of the vendor makes a video from %s, reads, lists and deletes it', async (_name, order) => {
  const body = JSON.stringify({ model: 'vendorA/gen-2.0', ...order })
  const { id } = await curl('-X', 'POST', tasks(), '-d', body)
  expect(id).toMatch(/^cgt-/)
  const read = () => curl('-X', 'GET', `${tasks()}/${id}`)
  await expect.poll(read).toMatchObject({ id, status: 'succeeded' })
  expect(await read()).toMatchObject({
    content: { video_url: expect.stringMatching(/^http/) },
    usage: { completion_tokens: expect.any(Number) },
  })
  const query = 'page_num=1&page_size=10&filter.status=succeeded'
  expect(await curl('-X', 'GET', `${tasks()}?${query}`)).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ id })]),
  })
  expect(await curl('-X', 'DELETE', `${tasks()}/${id}`)).toEqual({})
  expect(await read()).toMatchObject({ error: { code: 'task_not_found' } })
})
