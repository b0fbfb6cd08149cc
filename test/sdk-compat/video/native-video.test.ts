import { createByteDance } from '@ai-sdk/bytedance'
import { experimental_generateVideo as generateVideo } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextApi, type TextApi } from '../../api/text/start-text-api.ts'

let api: TextApi
beforeAll(async () => {
  api = await startTextApi({ sandboxSpeed: 2_000 })
})
afterAll(() => api.close())

const POLLS = { pollIntervalMs: 50, pollTimeoutMs: 60_000 }

/** The clips of the sandbox stand on loopback, which the package refuses to load. */
async function download({ url }: { url: URL }) {
  const answer = await fetch(url)
  return { data: new Uint8Array(await answer.arrayBuffer()), mediaType: 'video/mp4' }
}

function generate(options: Omit<Parameters<typeof generateVideo>[0], 'model'>) {
  const provider = createByteDance({ baseURL: `${api.url}/api/v3`, apiKey: api.tenant.key })
  return generateVideo({ ...options, model: provider.video('vendorA/gen-2.0'), download, maxRetries: 0 })
}

test('@ai-sdk/bytedance makes a video from text', async () => {
  const { video, providerMetadata } = await generate({
    ...{ prompt: 'a cat on a raft', aspectRatio: '16:9', resolution: '1280x720', duration: 5, seed: 7 },
    providerOptions: { bytedance: { ...POLLS, generateAudio: false } },
  })
  expect(Buffer.from(video.uint8Array).subarray(4, 8).toString()).toBe('ftyp')
  expect(providerMetadata.bytedance).toMatchObject({
    ...{ taskId: expect.stringMatching(/^cgt-/), usage: { completion_tokens: expect.any(Number) } },
  })
})

test('@ai-sdk/bytedance makes a video from references', async () => {
  const referenceImages = ['https://client.example/a.png']
  const { video } = await generate({
    prompt: 'it moves [instant]',
    providerOptions: { bytedance: { ...POLLS, referenceImages } },
  })
  expect(video.mediaType).toBe('video/mp4')
})

test('@ai-sdk/bytedance reports an API error in our words', async () => {
  const wrong = generate({ prompt: 'a cat', aspectRatio: '21:9', providerOptions: { bytedance: POLLS } })
  await expect(wrong).rejects.toMatchObject({
    ...{ statusCode: 400, message: expect.stringContaining('ratio must be one of 16:9') },
  })
})
