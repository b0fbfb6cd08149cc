import OpenAI from 'openai'
import EarlierOpenAI from 'openai-6'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextApi, type TextApi } from '../../api/text/start-text-api.ts'

const MODELS = ['vendorA/gen-2.0', 'vendorB/gen-v4-std'] as const

describe.each([
  ['openai', OpenAI],
  ['the openai before it', EarlierOpenAI],
])('videos of %s', (_name, Client) => {
  let api: TextApi
  let client: OpenAI
  beforeAll(async () => {
    api = await startTextApi({ sandboxSpeed: 2_000 })
    client = new Client({ apiKey: api.tenant.key, baseURL: `${api.url}/v1`, maxRetries: 0 }) as OpenAI
  })
  afterAll(() => api.close())

  const ended = async (id: string) => {
    await expect.poll(async () => (await client.videos.retrieve(id)).status).toBe('completed')
    return client.videos.retrieve(id)
  }

  test.each(MODELS)('%s: created, retrieved until it ends, listed, downloaded', async (model) => {
    const created = await client.videos.create({
      ...{ model, prompt: 'a cat on a raft', seconds: '8', size: '720x1280' },
    })
    expect(created).toMatchObject({
      ...{ id: expect.stringMatching(/^video_/), object: 'video', model, seconds: '8', size: '720x1280' },
      ...{ prompt: null, remixed_from_video_id: null, error: null },
    })
    const video = await ended(created.id)
    expect(video).toMatchObject({ progress: 100, seconds: '8', size: '720x1280' })
    expect(video.expires_at).toBe(Number(video.completed_at) + 86_400)

    const listed: string[] = []
    for await (const { id } of client.videos.list({ limit: 1 })) listed.push(id)
    expect(listed).toContain(created.id)

    const content = await client.videos.downloadContent(created.id)
    const bytes = Buffer.from(await content.arrayBuffer())
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
    await expect(client.videos.remix(created.id, { prompt: 'at night' })).rejects.toMatchObject({
      ...{ status: 400, code: 'unsupported_combination', message: expect.stringContaining(model) },
    })
  })

  test('a video of family A is deleted; a video of family B cannot be deleted', async () => {
    const [a, b] = await Promise.all(
      MODELS.map((model) => client.videos.create({ model, prompt: 'a cat [instant]' })),
    )
    if (a === undefined || b === undefined) throw new Error('two videos were made')
    await ended(a.id)
    expect(await client.videos.delete(a.id)).toEqual({ id: a.id, object: 'video.deleted', deleted: true })
    await expect(client.videos.retrieve(a.id)).rejects.toMatchObject({ status: 404, code: 'task_not_found' })
    await expect(client.videos.delete(b.id)).rejects.toMatchObject({
      ...{ status: 400, code: 'task_not_deletable' },
    })
  })

  test.each(MODELS)('%s: an image by its link', async (model) => {
    const input_reference = { image_url: 'https://client.example/cat.png' }
    const { id } = await client.videos.create({ model, prompt: 'it moves [instant]', input_reference })
    await ended(id)
  })

  test('an uploaded file is refused with a hint to /v1/video/assets', async () => {
    const input_reference = new File([Buffer.from('not kept')], 'cat.png', { type: 'image/png' })
    await expect(client.videos.create({ prompt: 'it moves', input_reference })).rejects.toMatchObject({
      ...{ status: 400, param: 'input_reference', message: expect.stringContaining('/v1/video/assets') },
    })
  })
})
