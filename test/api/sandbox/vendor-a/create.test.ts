import { describe, expect, it } from 'vitest'
import { openVendors } from '../open-vendors.ts'
import { order, refusal, TASKS, text } from '../vendor-a-client.ts'

const image = (more: object = {}) => ({
  type: 'image_url',
  image_url: { url: 'https://example.com/cat.png' },
  ...more,
})
const video = (more: object = {}) => ({ type: 'video_url', video_url: { url: 'asset://asset-1' }, ...more })
const audio = { type: 'audio_url', audio_url: { url: 'https://example.com/a.mp3' }, role: 'reference_audio' }

async function post(body: unknown, headers?: Record<string, string>) {
  const vendors = await openVendors()
  return vendors.call('POST', TASKS, body, headers)
}

describe('200', () => {
  it.each<[string, object]>([
    ['a text alone', order()],
    ['an image', order('', { content: [text(), image({ role: 'reference_image' })] })],
    ['an image alone', order('', { content: [image()] })],
    ['a video', order('', { content: [text(), video({ role: 'reference_video' })] })],
    ['audio with an image', order('', { content: [text(), image(), audio] })],
    ['a draft of an image', order('', { content: [text(), image()], draft: true })],
    [
      'every option',
      order('', {
        ratio: '9:16',
        resolution: '1080p',
        duration: 15,
        seed: 0,
        framespersecond: 24,
        generate_audio: false,
        draft: false,
        service_tier: 'flex',
        execution_expires_after: 3_600,
        callback_url: 'https://example.com/v1/video/result?token=1',
      }),
    ],
  ])('%s', async (_what, body) => {
    const answer = await post(body)
    expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^cgt-[\w-]+$/) } })
    expect(Object.keys(Object(answer.body))).toEqual(['id'])
  })

  it('two tasks of the same moment and words have two ids', async () => {
    const vendors = await openVendors()
    const body = order('', { seed: 1 })
    const answers = [await vendors.call('POST', TASKS, body), await vendors.call('POST', TASKS, body)]
    expect(answers[0]?.body).not.toEqual(answers[1]?.body)
  })

  it('[rich] answers with the whole task', async () => {
    expect((await post(order('[rich]'))).body).toMatchObject({ status: 'queued', duration: 5 })
    expect((await post(order('[rich] [instant]'))).body).toMatchObject({
      status: 'succeeded',
      content: { video_url: expect.stringContaining('/vendor-a/clips/1280x720-5s-') },
    })
  })
})

describe('400 InvalidParameter', () => {
  it.each<[string, unknown]>([
    ['', '{"model":'],
    ['', []],
    ['', 'null'],
    ['model', { content: [text()] }],
    ['model', { model: '', content: [text()] }],
    ['model', order('', { model: 'x'.repeat(201) })],
    ['content', { model: 'up-2.0' }],
    ['content', order('', { content: [] })],
    ['content', order('', { content: { 0: text() } })],
    ['content[0]', order('', { content: ['a cat'] })],
    ['content[1].type', order('', { content: [text(), { type: 'draft_task' }] })],
    ['content[0].text', order('', { content: [{ type: 'text', text: ' ' }] })],
    ['content[0].role', order('', { content: [{ ...text(), role: 'user' }] })],
    ['content[0].image_url.url', order('', { content: [{ type: 'image_url' }] })],
    ['content[0].image_url.url', order('', { content: [image({ image_url: { url: 'cat.png' } })] })],
    ['content[0].image_url.url', order('', { content: [image({ image_url: { url: 'ftp://x/cat' } })] })],
    ['content[0].role', order('', { content: [image({ role: 'reference_video' })] })],
    ['content[0].text', order('', { content: [image({ text: 'x' })] })],
    ['content[0].tag', order('', { content: [video({ tag: '@a' })] })],
    ['content', order('', { content: [text(), audio] })],
    ['content', order('', { content: [audio] })],
    ['ratio', order('', { ratio: '4:3' })],
    ['resolution', order('', { resolution: '8k' })],
    ['duration', order('', { duration: 3 })],
    ['duration', order('', { duration: 16 })],
    ['duration', order('', { duration: 5.5 })],
    ['duration', order('', { duration: '5' })],
    ['seed', order('', { seed: -2 })],
    ['framespersecond', order('', { framespersecond: 0 })],
    ['generate_audio', order('', { generate_audio: 'yes' })],
    ['draft', order('', { draft: 1 })],
    ['draft', order('', { draft: true })],
    ['service_tier', order('', { service_tier: ' flex ' })],
    ['service_tier', order('', { service_tier: 'x'.repeat(65) })],
    ['execution_expires_after', order('', { execution_expires_after: 0 })],
    ['callback_url', order('', { callback_url: 'example.com' })],
    ['metadata', order('', { metadata: {} })],
    ['toString', order('', { toString: 1 })],
  ])('%s: %j', async (param, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: refusal('InvalidParameter', param) })
  })
})

describe('401', () => {
  it.each(['', 'Bearer', 'Bearer ', 'Bearer bad-key', 'Basic abc'])('with %j', async (authorization) => {
    const answer = await post('not even read', { authorization })
    expect(answer).toMatchObject({ status: 401, body: refusal('AuthenticationError') })
  })
})

describe('a scripted refusal', () => {
  it.each([
    ['moderate', 400, 'InputTextSensitiveContentDetected', null],
    ['busy', 429, 'RateLimitExceeded', '1'],
    ['concurrency', 429, 'QueueLimitExceeded', '5'],
    ['overdue', 403, 'AccountOverdueError', null],
    ['closed', 404, 'ModelNotOpen', null],
    ['broken', 500, 'InternalServiceError', null],
  ])('[%s]: %i %s', async (word, status, code, retryAfter) => {
    const answer = await post(order(`[${word}]`))
    expect(answer).toMatchObject({ status, body: refusal(code) })
    expect(answer.headers.get('retry-after')).toBe(retryAfter)
  })
})
