import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, MESSAGES_MODEL, RESPONSES_MODEL, type TextClient, textClientOf } from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

const MODELS = [MESSAGES_MODEL, RESPONSES_MODEL, CHAT_MODEL]
const HEAVY = 'lorem ipsum '.repeat(50_000)

/** Positions of a URL that the vendor fetches: the endpoint, the `param` of the error, and the request. */
const PLACES: readonly [
  keyof TextClient & ('messages' | 'responses' | 'chat'),
  string,
  (url: string) => object,
][] = [
  [
    'messages',
    'messages.0.content.1.source.url',
    (url) => message({ type: 'image', source: { type: 'url', url } }),
  ],
  [
    'messages',
    'messages.0.content.1.source.url',
    (url) => message({ type: 'document', source: { type: 'url', url } }),
  ],
  [
    'messages',
    'mcp_servers.0.url',
    (url) => ({ ...message({ type: 'text', text: 'Hi' }), mcp_servers: [{ type: 'url', name: 'a', url }] }),
  ],
  ['responses', 'input.0.content.1.image_url', (url) => input({ type: 'input_image', image_url: url })],
  ['responses', 'input.0.content.1.file_url', (url) => input({ type: 'input_file', file_url: url })],
  [
    'responses',
    'input.0.content.1.input_audio.data',
    (url) => input({ type: 'input_audio', input_audio: { data: url } }),
  ],
  [
    'responses',
    'tools.0.server_url',
    (url) => ({ input: text(''), tools: [{ type: 'mcp', server_label: 'a', server_url: url }] }),
  ],
  ['chat', 'messages.0.content.1.image_url.url', (url) => chat({ type: 'image_url', image_url: { url } })],
  ['chat', 'messages.0.content.1.file.file_data', (url) => chat({ type: 'file', file: { file_data: url } })],
  [
    'chat',
    'messages.0.content.1.input_audio.data',
    (url) => chat({ type: 'input_audio', input_audio: { data: url } }),
  ],
  ['chat', 'messages.0.content.1.video_url.url', (url) => chat({ type: 'video_url', video_url: { url } })],
]

const text = (said: string) => [{ role: 'user', content: said }]
const message = (block: object) => ({
  max_tokens: 16,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, block] }],
})
const input = (part: object) => ({
  input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }, part] }],
})
const chat = (part: object) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, part] }],
})

/** Makes a body so long that another thread reads it. */
function heavy(body: object): object {
  const metadata = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`note_${at}`, HEAVY.slice(0, 40_000)]),
  )
  return { ...body, metadata }
}

describe('a URL that a vendor would fetch', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    const rows = Object.fromEntries(
      MODELS.map((name) => [
        name,
        { endpoints: ['messages' as const, 'responses' as const, 'chat' as const] },
      ]),
    )
    api = await startTextApi({ environment: { OUTBOUND_ALLOW: '10.1.0.0/16' }, rows })
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  const paramOf = (body: Record<string, unknown>) => Object(body.error).param ?? Object(body.error).message

  test.each(PLACES)(
    'of %s at %s is 400 where it leads to a private address',
    async (endpoint, param, make) => {
      const before = (await api.vendor.requests()).length
      for (const url of [
        'https://10.0.0.8/a.png',
        'https://[::1]/a',
        'https://169.254.169.254/x',
        'https://0x7f.1/',
      ]) {
        for (const model of MODELS) {
          for (const body of [{ ...make(url), model }, heavy({ ...make(url), model })]) {
            const answer = await client[endpoint](body)
            expect(answer.status, answer.text).toBe(400)
            expect(paramOf(answer.body)).toContain(param)
          }
        }
      }
      expect((await api.vendor.requests()).length).toBe(before)
    },
  )

  test.each(PLACES)(
    'of %s at %s passes the check where it is public, or allowed',
    async (endpoint, param, make) => {
      for (const url of ['https://media.example/a.png', 'https://10.1.2.3/a.png']) {
        for (const body of [make(url), heavy(make(url))]) {
          const answer = await client[endpoint]({ ...body, model: MESSAGES_MODEL })
          expect(answer.text).not.toContain('public address')
          if (answer.status === 400) expect(answer.text).not.toContain(`${param} must lead`)
        }
      }
    },
  )
})
