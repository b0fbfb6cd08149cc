import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  expectResponsesError,
  RESPONSES_MODEL,
  response,
  type TextClient,
  textClientOf,
} from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

describe('POST /v1/responses', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  const refuse = async (
    body: object | string,
    expected: { param?: string; message?: RegExp; code?: string },
    headers: Record<string, string> = {},
  ) => {
    const before = (await api.vendor.requests()).length
    const answer = await client.responses(body, headers)
    expectResponsesError(answer, { status: 400, type: 'invalid_request_error', ...expected })
    expect((await api.vendor.requests()).length).toBe(before)
  }

  test.each([
    ['not JSON', '{', /body must be valid JSON/],
    ['an array', '[]', /JSON object/],
    ['null', 'null', /JSON object/],
  ])('the body is %s', (_name, body, said) => refuse(body, { message: said }))

  test.each<[string, object, string]>([
    ['model missing', { model: undefined }, 'model'],
    ['model null', { model: null }, 'model'],
    ['model a number', { model: 5 }, 'model'],
    ['model without a provider', { model: 'model-o3' }, 'model'],
    ['model without a name', { model: 'vendorC/' }, 'model'],
    ['input missing', { input: undefined }, 'input'],
    ['input null', { input: null }, 'input'],
    ['input a number', { input: 5 }, 'input'],
    ['input an object', { input: {} }, 'input'],
    ['an item that is not an object', { input: ['hello'] }, 'input.0'],
    ['a message without a role', { input: [{ type: 'message', content: 'x' }] }, 'input.0.role'],
    ['a message of an unknown role', { input: [{ role: 'robot', content: 'x' }] }, 'input.0.role'],
    ['a message without content', { input: [{ role: 'user' }] }, 'input.0.content'],
    [
      'a call without its id',
      { input: [{ type: 'function_call', name: 'a', arguments: '{}' }] },
      'input.0.call_id',
    ],
    [
      'a call without a name',
      { input: [{ type: 'function_call', call_id: 'c', arguments: '{}' }] },
      'input.0.name',
    ],
    [
      'a call with an object',
      { input: [{ type: 'function_call', call_id: 'c', name: 'a', arguments: {} }] },
      'input.0.arguments',
    ],
    [
      'a result without its call',
      { input: [{ type: 'function_call_output', output: 'x' }] },
      'input.0.call_id',
    ],
    ['instructions a number', { instructions: 5 }, 'instructions'],
    ['stream a string', { stream: 'true' }, 'stream'],
    ['max_output_tokens 0', { max_output_tokens: 0 }, 'max_output_tokens'],
    ['max_output_tokens a string', { max_output_tokens: '5' }, 'max_output_tokens'],
    ['temperature above 2', { temperature: 2.01 }, 'temperature'],
    ['temperature below 0', { temperature: -1 }, 'temperature'],
    ['temperature a string', { temperature: '1' }, 'temperature'],
    ['top_p a string', { top_p: '1' }, 'top_p'],
    ['tools an object', { tools: {} }, 'tools'],
    ['a function without a name', { tools: [{ type: 'function' }] }, 'tools.0.name'],
    ['tool_choice an unknown word', { tool_choice: 'some' }, 'tool_choice'],
    ['tool_choice a number', { tool_choice: 5 }, 'tool_choice'],
    ['parallel_tool_calls a string', { parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
    ['text a string', { text: 'json' }, 'text'],
    [
      'a format without a name',
      { text: { format: { type: 'json_schema', schema: {} } } },
      'text.format.name',
    ],
    [
      'a format without a schema',
      { text: { format: { type: 'json_schema', name: 'a' } } },
      'text.format.schema',
    ],
    ['reasoning a string', { reasoning: 'high' }, 'reasoning'],
    ['effort a number', { reasoning: { effort: 5 } }, 'reasoning.effort'],
    ['include a string', { include: 'reasoning.encrypted_content' }, 'include'],
    ['include of numbers', { include: [5] }, 'include.0'],
    ['metadata a string', { metadata: 'x' }, 'metadata'],
    ['a previous_response_id that is not kept', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['background that is not to be kept', { background: true, store: false }, 'background'],
    ['background a string', { background: 'yes' }, 'background'],
    ['previous_response_id a number', { previous_response_id: 7 }, 'previous_response_id'],
    ['truncation', { truncation: 'auto' }, 'truncation'],
  ])('%s', async (_name, change, param) => {
    await refuse(response('hello', change), { param })
    if (!('model' in change)) await refuse(response('hello', { ...change, model: CHAT_MODEL }), { param })
  })

  test.each(['vendorC/model-o4-mini', CHAT_MODEL])('two models in one body, the last is %s', (model) =>
    refuse(`{"model":"vendorC/model-o3","input":"x","model":"${model}"}`, { param: 'model' }),
  )

  test.each<[string, object, RegExp]>([
    ['web_search as the only tool', { tools: [{ type: 'web_search' }] }, /web_search/],
    [
      'web_search that is chosen',
      {
        tools: [{ type: 'web_search' }, { type: 'function', name: 'a', parameters: {} }],
        tool_choice: { type: 'web_search' },
      },
      /web_search/,
    ],
    ['an unknown effort', { reasoning: { effort: 'gigantic' } }, /effort/],
    [
      'an image over http',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'http://x.example/a.png' }] }] },
      /https/i,
    ],
  ])('what a conversion cannot carry: %s', (_name, change, said) =>
    refuse(response('hello', { model: CHAT_MODEL, ...change }), { message: said }),
  )

  test('with x-sluice-strict what would be lost is refused', () =>
    refuse(
      response('hello', {
        model: CHAT_MODEL,
        tools: [{ type: 'function', name: 'a', parameters: {} }, { type: 'web_search' }],
      }),
      { code: 'unsupported_combination', message: /web_search.*x-sluice-strict/ },
      { 'x-sluice-strict': 'true' },
    ))

  describe('an item_reference of a converted model', () => {
    const refer = (id: string) =>
      response(
        [
          { role: 'user', content: 'x' },
          { type: 'item_reference', id },
        ],
        { model: CHAT_MODEL },
      )

    test('that is unknown', () => refuse(refer('msg_unknown'), { param: 'input.1', message: /msg_unknown/ }))

    test('of another API key, or of a reply that was not kept', async () => {
      const idOf = async (from: TextClient, more: object) => {
        const { text } = await from.responses(response('hello', { model: CHAT_MODEL, ...more }))
        return /"id":"(msg_\w+)"/.exec(text)?.[1] ?? ''
      }
      const other = textClientOf(api, await api.openKey(api.tenant))
      await refuse(refer(await idOf(other, {})), { param: 'input.1' })
      await refuse(refer(await idOf(client, { store: false })), { param: 'input.1' })
      await refuse(refer(await idOf(client, { store: false, stream: true })), { param: 'input.1' })
    })
  })

  test.each([CHAT_MODEL, RESPONSES_MODEL])(
    '%s: a conversation that is too long is refused by the name that agents look for',
    async (model) => {
      for (const stream of [false, true]) {
        const answer = await client.responses(response('[too-long]', { model, stream }))
        expectResponsesError(answer, {
          status: 400,
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          message: /too long/,
        })
      }
    },
  )

  test("the vendor's own word about the request reaches the client", async () => {
    const input = [{ type: 'function_call_output', call_id: 'call_nobody', output: 'x' }]
    const answer = await client.responses(response(input))
    expectResponsesError(answer, { status: 400, type: 'invalid_request_error', message: /call_nobody|call/ })
  })
})
