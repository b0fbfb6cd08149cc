import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

let api: VideoApi
beforeAll(async () => {
  api = await startVideoApi()
})
afterAll(() => api.close())

const NATIVE = '/api/v3/contents/generations/tasks'
const asNative = (id: string) => `${NATIVE}/${id.replace('task_', 'cgt-')}`

test('GET /v1/video/generations/{task_id} 200: content.last_frame_url is a picture, on both paths', async () => {
  const client = clientOf(api, api.tenant)
  const body = textBody('', { return_last_frame: true })
  const ids = [
    await client.make(body),
    String((await client.call('POST', NATIVE, { body })).body.id).replace('cgt-', 'task_'),
  ]
  api.passSeconds(600)
  for (const id of ids) {
    const { content } = (await client.get(id)).body
    const { video_url, last_frame_url } = Object(content)
    expect(video_url).toMatch(/\.mp4\?/)
    const picture = await fetch(last_frame_url)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await client.call('GET', asNative(id))).body).toMatchObject({
      ...{ return_last_frame: true, content: { last_frame_url: expect.stringMatching(/\.png\?/) } },
    })
  }
})

test('GET /v1/video/generations/{task_id} 200: without return_last_frame there is no link to it', async () => {
  const client = clientOf(api, api.tenant)
  const id = await client.make(textBody('', { return_last_frame: false }))
  api.passSeconds(600)
  expect(Object((await client.get(id)).body.content)).not.toHaveProperty('last_frame_url')
})

test('POST /v1/video/generations 200: family B has no last frame, and the field is named', async () => {
  const answer = await clientOf(api, api.tenant).create(textBodyB('', { return_last_frame: true }))
  expect([answer.status, answer.headers.get('x-sluice-ignored')]).toEqual([200, 'return_last_frame'])
})
