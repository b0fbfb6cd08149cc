import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '../video/tenants.ts'
import {
  CHAT_MODEL,
  expectResponsesError,
  message,
  RESPONSES_MODEL,
  response,
  type TextClient,
  textClientOf,
} from './call-text.ts'
import { MESSAGE_PLACES, PLACES } from './places-of-ids.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

describe('what a vendor keeps for one organization', () => {
  let api: TextApi
  let other: Tenant
  let owner: TextClient
  let stranger: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    other = await api.openTenant()
    owner = textClientOf(api, api.tenant)
    stranger = textClientOf(api, other)
  })
  afterAll(() => api.close())

  const asked = async () => (await api.vendor.requests()).length
  const once = (operation: string, body: object) =>
    api.vendor.breakDown({ part: 'text', operation, times: 1, fault: { kind: 'status', status: 200, body } })

  /** A response in which code ran in a container and made a file. */
  const WITH_FILES = {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
    output: [
      { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: 'x', status: 'completed' },
      {
        ...{ type: 'message', id: 'msg_files', role: 'assistant', status: 'completed' },
        content: [
          {
            ...{ type: 'output_text', text: 'Done.' },
            annotations: [
              { type: 'container_file_citation', container_id: 'cntr_1', file_id: 'cfile_1', filename: 'a' },
            ],
          },
        ],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"file_id":"file_tool"}' },
    ],
    usage: {
      ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
    },
  }
  const MESSAGE_WITH_FILES = {
    ...{ id: 'msg_thread', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    stop_sequence: null,
    container: { id: 'container_1', expires_at: '2030-01-01T00:00:00Z' },
    content: [
      {
        ...{ type: 'bash_code_execution_tool_result', tool_use_id: 'srvtoolu_1' },
        content: {
          ...{ type: 'bash_code_execution_result', stdout: '', stderr: '', return_code: 0 },
          content: [{ type: 'bash_code_execution_output', file_id: 'file_made' }],
        },
      },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { file_id: 'file_tool' } },
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  const RUNS_CODE = { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }

  test.each([true, false])('its organization can point to an item (stream: %s)', async (stream) => {
    const reply = await owner.responses(response('hello', { stream }))
    const [, id] = /"id":"(msg_[^"]+)"/.exec(reply.text) ?? []
    const input = [
      { type: 'item_reference', id },
      { role: 'user', content: 'go on' },
    ]
    expect((await owner.responses(response(input))).status).toBe(200)
    const before = await asked()
    const refused = await stranger.responses(response(input))
    const unknown = await stranger.responses(
      response([{ type: 'item_reference', id: 'msg_unknown' }, input[1]]),
    )
    expectResponsesError(refused, { status: 400, code: 'invalid_parameter', param: 'input.0.id' })
    expect(refused.text.replace(String(id), 'msg_unknown')).toBe(unknown.text)
    expect(await asked()).toBe(before)
  })

  test.each(Object.entries(PLACES))('on responses: %s', async (_name, [body, param, isMine]) => {
    await once('responses', WITH_FILES)
    expect((await owner.responses(response('hello'))).status).toBe(200)
    const before = await asked()
    expectResponsesError(await stranger.responses(response(undefined, body)), { status: 400, param })
    if (!isMine)
      expectResponsesError(await owner.responses(response(undefined, body)), { status: 400, param })
    expect(await asked()).toBe(before)
    if (!isMine) return
    await once('responses', WITH_FILES)
    expect((await owner.responses(response(undefined, body))).status).toBe(200)
    expect(await asked()).toBe(before + 1)
  })

  test.each(Object.entries(MESSAGE_PLACES))('on messages: %s', async (_name, [body, said, isMine]) => {
    await once('messages', MESSAGE_WITH_FILES)
    const made = { ...RUNS_CODE, thread: { type: 'create' } }
    expect((await owner.messages(message('hello', made))).status).toBe(200)
    const before = await asked()
    for (const client of isMine ? [stranger] : [stranger, owner]) {
      const answer = await client.messages(message('hello', body))
      expect(answer.body).toMatchObject({ error: { message: expect.stringMatching(said) } })
      expect(answer.status).toBe(400)
      expect((await client.count(message('hello', body))).status).toBe(400)
    }
    expect(await asked()).toBe(before)
    if (!isMine) return
    await once('messages', MESSAGE_WITH_FILES)
    expect((await owner.messages(message('hello', body))).status).toBe(200)
  })

  test('the official client gets thread_not_found for a foreign thread, as for a lost one', async () => {
    const answer = await stranger.messages(
      message('hello', { thread: { type: 'continue', previous_message_id: 'msg_thread' } }),
    )
    expect(answer.body).toMatchObject({ error: { details: { error_code: 'thread_not_found' } } })
  })

  test('ids of the client itself pass', async () => {
    const called = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: { user_id: 7 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
    ]
    const schema = { type: 'object', properties: { file_id: { type: 'string' }, id: { type: 'string' } } }
    const tools = [{ name: 'f', input_schema: schema }]
    const metadata = { user_id: 'end-user' }
    expect((await owner.messages(message('', { messages: called, tools, metadata }))).status).toBe(200)
    const input = [
      { role: 'user', content: 'hello' },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"file_id":"x"}' },
      { type: 'function_call_output', call_id: 'call_1', output: '{"id":"x"}' },
    ]
    const functions = [{ type: 'function', name: 'f', parameters: schema }]
    const more = { tools: functions, metadata: { order_id: 'o_1' }, client_metadata: { session_id: 's' } }
    expect((await owner.responses(response(input, more))).status).toBe(200)
  })

  test('foreign ids of items whose content is in the request are left out', async () => {
    const reply = await owner.responses(response('hello'))
    const [, id] = /"id":"(msg_[^"]+)"/.exec(reply.text) ?? []
    const content = [{ type: 'output_text', text: 'hello', annotations: [] }]
    const item = { type: 'message', id, role: 'assistant', status: 'completed', content }
    const input = [item, { role: 'user', content: 'go on' }]
    expect((await owner.responses(response(input))).status).toBe(200)
    expect((await api.vendor.requests()).at(-1)?.body).toContain(`"id":"${id}"`)
    expect((await stranger.responses(response(input))).status).toBe(200)
    const sent = JSON.parse(String((await api.vendor.requests()).at(-1)?.body))
    expect(sent.input).toEqual([{ ...item, id: undefined }, input[1]])
  })

  test('reasoning of another organization cannot be referenced through the messages format', async () => {
    const reasoned = (block: object) => [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [block, { type: 'text', text: 'hi' }] },
      { role: 'user', content: 'go on' },
    ]
    for (const proof of ['gw1.vendorC.rs_other:', 'gw1.vendorC.rs_other: \t']) {
      for (const block of [
        { type: 'thinking', thinking: '', signature: proof },
        { type: 'redacted_thinking', data: proof },
      ]) {
        const body = message('', { model: RESPONSES_MODEL, messages: reasoned(block) })
        const { status } = await stranger.messages(body)
        expect((await api.vendor.requests()).at(-1)?.body).not.toContain('rs_other')
        expect(status).toBe(200)
      }
    }
  })
})

describe('a provider that belongs to one organization', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi({ providers: PROVIDERS, unpriced: ['vendorD/text-large'] })
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${api.tenant.key}` }
    const answer = await fetch(`${api.url}${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  /** Content of a response without the requested name. */
  const contentOf = (
    name: string,
    { status, body, text }: { status: number; body?: unknown; text: string },
  ) => {
    const { error } = Object(body ?? JSON.parse(text))
    return { status, error: JSON.parse(JSON.stringify(error).replaceAll(name, 'NAME')) }
  }

  test('shows none of its models to the others', async () => {
    const { text } = await read('/v1/models')
    expect(JSON.parse(text).data.map(({ id }: { id: string }) => id)).toEqual([CHAT_MODEL])
  })

  test.each(['vendorD/text-small', 'vendorD/text-large'])(
    'to the others %s is as unknown as any other name',
    async (model) => {
      const unoffered = 'vendorQ/zzzzzzzzzzzzzzzz'
      const asked = [model, unoffered].map(async (name) => [
        contentOf(name, await client.messages(message('hello', { model: name }))),
        contentOf(name, await client.count(message('hello', { model: name }))),
        contentOf(name, await client.responses(response('hello', { model: name }))),
        contentOf(name, await read(`/v1/models/${name}`)),
        contentOf(name, await read(`/v1/models/${encodeURIComponent(name)}`)),
      ])
      const [known, unknown] = await Promise.all(asked)
      expect(known).toEqual(unknown)
    },
  )

  test('advises no other organization to use it', async () => {
    const { text } = await client.messages(message('hello', { model: 'vendorD/text-smal' }))
    expect(text).not.toContain('vendorD/text-small')
    expect((await read('/v1/models/vendorD/text-smal')).text).not.toContain('vendorD/text-small')
  })
})

const PROVIDERS = `
providers:
  vendorC:
    driver: text
    base_url: SANDBOX
    api_key: sandbox-key
    models: { model-4.1-mini: chat }
  vendorD:
    driver: text
    base_url: SANDBOX
    api_key: sandbox-key
    organization: org_other
    models: { text-small: messages, text-large: messages }
`
