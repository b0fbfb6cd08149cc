import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeCatalog, mergeProviders } from '../../../src/config/presets/merge-presets.ts'
import { loadPresets } from '../../../src/config/presets/presets.ts'
import { startTextGateway, type TextGateway } from '../text-resilience/start-text-gateway.ts'
import { clientOf, textBody } from '../video/call-api.ts'

const preset = loadPresets().find(({ name }) => name === 'byteplus') ?? expect.fail('there is no preset')
const ORIGIN = 'https://ark.ap-southeast.bytepluses.com'
const TOKENS = 108_900

let gateway: TextGateway
let calls: string[]
beforeAll(async () => {
  gateway = await startTextGateway({
    providers: mergeProviders([preset]).text.replace(ORIGIN, 'VENDOR'),
    catalog: mergeCatalog([preset]).text,
    environment: { ARK_API_KEY: 'the-key' },
  })
})
afterAll(() => gateway.close())

test('the preset speaks to ModelArk in Singapore, and its key is read from ARK_API_KEY', () => {
  expect(mergeProviders([preset]).text).toContain(`base_url: ${ORIGIN}/api/v3`)
  expect(preset).toMatchObject({
    variable: 'ARK_API_KEY',
    prices: { page: expect.stringMatching(/^https:/) },
  })
})

test('GET /v1/models 200 lists its models as videos, and no built-in ones', async () => {
  const { body } = await clientOf(gateway, gateway).call('GET', '/v1/models')
  expect(Object(body).data.map(({ id, kind }: { id: string; kind: string }) => [id, kind])).toEqual(
    preset.models.map((name) => [name, 'video']),
  )
})

/** Tokens of 5 seconds, and the vendor's prices in US dollars for a million: without and with a video as input. */
test.each([
  ['dreamina-seedance-2-0-260128', '720p', TOKENS, 7, 4.3],
  ['dreamina-seedance-2-0-260128', '1080p', 245_025, 7.7, 4.7],
  ['dreamina-seedance-2-0-fast-260128', '720p', TOKENS, 5.6, 3.3],
  ['dreamina-seedance-2-5-260628', '720p', TOKENS, 10.7, 6.4],
  ['dreamina-seedance-2-5-260628', '1080p', 245_025, 11.7, 7],
])(
  '%s at %s: %i tokens cost %d, or %d with a video as input',
  async (model, resolution, tokens, usd, withVideo) => {
    const order = textBody('', { model: `byteplus/${model}`, duration: 5, resolution })
    const quote = (body: object) => clientOf(gateway, gateway).call('POST', '/v1/video/quotes', { body })
    expect(await quote(order)).toMatchObject({
      body: {
        price_micros: Math.round(tokens * usd),
        parts: [{ unit: 'video_token', quantity: tokens, usd, micros: Math.round(tokens * usd) }],
      },
    })
    const video_url = { url: 'https://media.example/a.mp4' }
    const video = { type: 'video_url', video_url, role: 'reference_video' }
    const edited = await quote({ ...order, content: [{ type: 'text', text: 'a cat' }, video] })
    expect(edited).toMatchObject({ body: { parts: [{ unit: 'video_token', usd: withVideo }] } })
  },
)

test('a video of 108,900 tokens with Seedance 2.5 is ordered as the vendor wants it, and costs 1,165,230 micros', async () => {
  calls = []
  gateway.answer = ({ method, url, headers }, response) => {
    calls.push(`${method} ${url} ${headers.authorization}`)
    response.writeHead(200, { 'content-type': 'application/json' })
    const done = {
      ...{ id: 'cgt-1', model: 'dreamina-seedance-2-5-260628', status: 'succeeded' },
      content: { video_url: 'https://media.example/made.mp4' },
      usage: { completion_tokens: TOKENS, total_tokens: TOKENS },
    }
    response.end(JSON.stringify(method === 'POST' ? { id: 'cgt-1' } : done))
  }
  const client = clientOf(gateway, gateway)
  const id = await client.make(
    textBody('', { model: 'byteplus/dreamina-seedance-2-5-260628', duration: 5, resolution: '720p' }),
  )
  expect(JSON.parse(gateway.received)).toMatchObject({ model: 'dreamina-seedance-2-5-260628' })
  expect(calls[0]).toBe('POST /api/v3/contents/generations/tasks Bearer the-key')
  await expect.poll(async () => (await client.get(id)).body.status).toBe('succeeded')
  expect(await gateway.operator.showTask(id)).toMatchObject({ chargedMicros: 1_165_230 })
})
