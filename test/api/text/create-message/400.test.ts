import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  expectMessagesError,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  type TextClient,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const turn = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const image = (bytes: number) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: Buffer.alloc(bytes, 1).toString('base64') },
})
const MB = 1024 * 1024

describe('POST /v1/messages', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  const refuse = async (body: object | string, said: RegExp, headers: Record<string, string> = {}) => {
    const before = (await api.vendor.requests()).length
    const answer = await client.messages(body, headers)
    expectMessagesError(answer, { status: 400, type: 'invalid_request_error', message: said })
    expect((await api.vendor.requests()).length).toBe(before)
  }

  test.each<[string, Record<string, string | undefined>]>([
    ['missing', { 'compat-version': undefined }],
    ['empty', { 'compat-version': '' }],
    ['unknown', { 'compat-version': '2024-01-01' }],
    ['newer under its own name', { 'compat-version': '2026-10-21' }],
    ['no date', { 'compat-version': undefined, 'anthropic-version': 'latest' }],
    ['older', { 'compat-version': undefined, 'anthropic-version': '2022-12-31' }],
    ['of no month', { 'compat-version': undefined, 'anthropic-version': '2099-00-01' }],
    ['of no day', { 'compat-version': undefined, 'anthropic-version': '2026-02-30' }],
    ['odd, beside a good one of the SDKs', { 'compat-version': '1', 'anthropic-version': '2023-06-01' }],
  ])('the version is %s', async (_name, headers) => {
    const answer = await client.messages(message(), headers)
    const sent = headers['compat-version'] === undefined ? 'anthropic-version' : 'compat-version'
    const other = sent === 'compat-version' ? 'anthropic-version' : 'compat-version'
    const said = new RegExp(`^The header ${sent} .* ${other} counts as the same header\\.$`)
    expectMessagesError(answer, { status: 400, type: 'invalid_request_error', message: said })
  })

  test.each([
    ['not JSON', '{', /body must be valid JSON/],
    ['empty', ' ', /body must be valid JSON/],
    ['an array', '[]', /JSON object/],
    ['a string', '"hello"', /JSON object/],
    ['null', 'null', /JSON object/],
  ])('the body is %s', (_name, body, said) => refuse(body, said))

  test.each<[string, object, RegExp]>([
    ['model missing', { model: undefined }, /model/],
    ['model null', { model: null }, /model/],
    ['model a number', { model: 5 }, /model/],
    ['model without a provider', { model: 'text-small' }, /model.*<provider>\/<model_name>/],
    ['model without a name', { model: 'vendorD/' }, /model/],
    ['messages missing', { messages: undefined }, /messages/],
    ['messages a string', { messages: 'hello' }, /messages/],
    ['messages empty', { messages: [] }, /messages/],
    ['a turn that is not an object', { messages: ['hello'] }, /messages\.0/],
    ['an unknown role', { messages: [{ role: 'robot', content: 'x' }] }, /messages\.0\.role/],
    ['no role', { messages: [{ content: 'x' }] }, /messages\.0\.role/],
    ['no content', { messages: [{ role: 'user' }] }, /messages\.0\.content/],
    ['content a number', turn(5), /messages\.0\.content/],
    ['a block that is not an object', turn(['x']), /messages\.0\.content\.0/],
    ['a block without a type', turn([{ text: 'x' }]), /messages\.0\.content\.0\.type/],
    ['a text block without text', turn([{ type: 'text' }]), /messages\.0\.content\.0\.text/],
    ['max_tokens missing', { max_tokens: undefined }, /max_tokens/],
    ['max_tokens 0', { max_tokens: 0 }, /max_tokens/],
    ['max_tokens below 0', { max_tokens: -1 }, /max_tokens/],
    ['max_tokens a fraction', { max_tokens: 1.5 }, /max_tokens/],
    ['max_tokens a string', { max_tokens: '10' }, /max_tokens/],
    ['system a number', { system: 5 }, /system/],
    ['system of images', { system: [{ type: 'image' }] }, /system\.0/],
    ['temperature above 1', { temperature: 1.01 }, /temperature/],
    ['temperature below 0', { temperature: -0.1 }, /temperature/],
    ['temperature a string', { temperature: '0.5' }, /temperature/],
    ['top_p a string', { top_p: '1' }, /top_p/],
    ['top_k a fraction', { top_k: 1.5 }, /top_k/],
    ['stream a string', { stream: 'true' }, /stream/],
    ['stream a number', { stream: 1 }, /stream/],
    ['stop_sequences a string', { stop_sequences: 'x' }, /stop_sequences/],
    ['stop_sequences of numbers', { stop_sequences: [1] }, /stop_sequences\.0/],
    ['tools an object', { tools: {} }, /tools/],
    ['a tool without a name', { tools: [{ input_schema: {} }] }, /tools\.0\.name/],
    [
      'a tool whose schema is a string',
      { tools: [{ name: 'a', input_schema: 'x' }] },
      /tools\.0\.input_schema/,
    ],
    ['tool_choice a string', { tool_choice: 'auto' }, /tool_choice/],
    ['tool_choice of an unknown type', { tool_choice: { type: 'some' } }, /tool_choice\.type/],
    ['tool_choice without its name', { tool_choice: { type: 'tool' } }, /tool_choice\.name/],
    ['thinking a string', { thinking: 'enabled' }, /thinking/],
    ['thinking without a budget', { thinking: { type: 'enabled' } }, /thinking\.budget_tokens/],
    ['output_config a string', { output_config: 'json' }, /output_config/],
    [
      'a format without a schema',
      { output_config: { format: { type: 'json_schema' } } },
      /output_config\.format\.schema/,
    ],
    ['metadata a string', { metadata: 'x' }, /metadata/],
    ['user_id a number', { metadata: { user_id: 5 } }, /metadata\.user_id/],
    ['service_tier a number', { service_tier: 5 }, /service_tier/],
    ['inference_geo a number', { inference_geo: 5 }, /inference_geo/],
    [
      'an image over http',
      turn([{ type: 'image', source: { type: 'url', url: 'http://x.example/a.png' } }]),
      /source\.url/,
    ],
    [
      'a tool_use without an id',
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', name: 'a', input: {} }] }] },
      /\.id/,
    ],
    ['a tool_result without its call', turn([{ type: 'tool_result', content: 'x' }]), /tool_use_id/],
  ])('%s', (_name, change, said) => refuse(message('hello', change), said))

  test.each(['vendorD/text-large', CHAT_MODEL])('two models in one body, the last is %s', (model) =>
    refuse(
      `{"model":"vendorD/text-small","model":"${model}","max_tokens":5,"messages":[{"role":"user","content":"x"}]}`,
      /model must be given once/,
    ),
  )

  test.each<[string, string]>([
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'ü'],
  ])('an Idempotency-Key that is %s', (_name, key) =>
    refuse(message(), /Idempotency-Key/, { 'idempotency-key': key }),
  )

  test.each(['1', 'TRUE', 'yes', ''])('x-sluice-strict: %o', (value) =>
    refuse(message(), /x-sluice-strict must be true or false/, { 'x-sluice-strict': value }),
  )

  describe('images', () => {
    test('of 5 MB pass, one byte more does not', async () => {
      expect(await client.messages(message([image(5 * MB)]))).toMatchObject({ status: 200 })
      await refuse(message([image(5 * MB + 1)]), /5 MB/)
    })

    test('of 12 MB together pass, one byte more does not', async () => {
      const four = image(4 * MB)
      expect(await client.messages(message([four, four, four]))).toMatchObject({ status: 200 })
      await refuse(message([four, four, image(4 * MB + 1)]), /12 MB/)
      const result = { type: 'tool_result', tool_use_id: 't', content: [image(1)] }
      await refuse(message([four, four, four, result]), /12 MB/)
    })
  })

  test.each<[string, object, RegExp]>([
    ['top_k on a converted model', { top_k: 5 }, /top_k.*x-sluice-strict/],
    [
      'cache_control on a converted model',
      turn([{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }]),
      /cache_control/,
    ],
  ])('with x-sluice-strict: %s', (_name, change, said) =>
    refuse(message('hello', { model: CHAT_MODEL, ...change }), said, { 'x-sluice-strict': 'true' }),
  )

  test.each<[string, object, RegExp]>([
    [
      'web_search as the only tool',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      /web_search/,
    ],
    ['an unknown effort', { output_config: { effort: 'gigantic' } }, /effort/],
    ['too many sequences', { stop_sequences: Array.from({ length: 65 }, String) }, /stop_sequences/],
    ['a turn of nothing', turn([]), /messages\.0\.content must not be empty/],
    ['a stored image', turn([{ type: 'image', source: { type: 'file', file_id: 'f' } }]), /source\.type/],
  ])('what a conversion cannot carry: %s', (_name, change, said) =>
    refuse(message('hello', { model: CHAT_MODEL, ...change }), said),
  )

  test.each([MESSAGES_MODEL, CHAT_MODEL, RESPONSES_MODEL])(
    '%s: a conversation that is too long is refused in the words that agents look for',
    async (model) => {
      for (const stream of [false, true]) {
        const answer = await client.messages(message('[too-long]', { model, stream }))
        expectMessagesError(answer, {
          status: 400,
          type: 'invalid_request_error',
          message: /^prompt is too long: 250000 tokens > 200000 maximum /,
        })
      }
    },
  )

  test("the vendor's own word about the request reaches the client", async () => {
    const answer = await client.messages({
      ...message(),
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_x', content: 'x' }] }],
    })
    expectMessagesError(answer, { status: 400, type: 'invalid_request_error', message: /toolu_x|tool_use/ })
  })
})
