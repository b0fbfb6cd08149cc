import { expect, onTestFinished, test } from 'vitest'
import { clientOf, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi } from '../start-video-api.ts'

const callback_url = 'https://client.example/done'
const PATHS = [
  ['/v1/video/generations', textBody('[instant]', { callback_url })],
  ['/api/v3/contents/generations/tasks', textBody('[instant]', { callback_url })],
  ['/v1/videos', { model: 'vendorA/gen-2.0', prompt: 'a cat [instant]', callback_url }],
] as const

async function start(options: Parameters<typeof startVideoApi>[0]) {
  const api = await startVideoApi(options)
  onTestFinished(() => api.close())
  return { api, client: clientOf(api, api.tenant) }
}

test('a create reply has x-sluice-callback only if no callback will be sent', async () => {
  const { api, client } = await start({})
  for (const [path, body] of PATHS) {
    const { status, headers } = await client.call('POST', path, { body })
    expect([status, headers.get('x-sluice-callback')]).toEqual([200, 'none'])
  }
  for (const body of [textBody(), textBodyB('', { callback_url })])
    expect((await client.create(body)).headers.get('x-sluice-callback')).toBeNull()
  api.passSeconds(600)
  await api.sweep('vendorA')
  expect(api.callbacksDue.count).toBe(0)
})

test('with notices the header is absent', async () => {
  const { client } = await start({ noticeBaseUrl: 'https://gateway.example' })
  const { headers } = await client.create(textBody('', { callback_url }))
  expect(headers.get('x-sluice-callback')).toBeNull()
})

test('VIDEO_CALLBACKS_BY_SWEEP: the sweep finds the end, and each task has its callback', async () => {
  const { api, client } = await start({ callbacksBySweep: true })
  for (const [path, body] of PATHS) {
    const { headers } = await client.call('POST', path, { body })
    expect(headers.get('x-sluice-callback')).toBeNull()
  }
  api.passSeconds(600)
  await api.sweep('vendorA')
  expect(api.callbacksDue.count).toBe(PATHS.length)
})
