import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_MODEL,
  completion,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  response,
  type TextClient,
  textClientOf,
} from './call-text.ts'
import { openSocket } from './socket-client.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

describe('a name that readers of JSON do not agree on', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi()
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  const said = (members: string, part = '') =>
    `"messages":[{"role":"user","content":[{"type":"text","text":"hi"${part}}]}],"max_tokens":64${members}`
  const asked = (members: string, part = '') =>
    `"input":[{"role":"user","content":[{"type":"input_text","text":"hi"${part}}]}]${members}`

  test.each([MESSAGES_MODEL, CHAT_MODEL])('is refused on messages: %s', async (model) => {
    const body = (members: string, part?: string) => `{"model":"${model}",${said(members, part)}}`
    expect((await client.messages(body(''))).status).toBe(200)
    for (const members of [
      `,"model":"${model}"`,
      `,"\\u006dodel":"${model}"`,
      `,"Model":"${model}"`,
      ',"stream":true,"stream":false',
      ',"container":"container_other","container":null',
      ',"Container":"container_other"',
      ',"THREAD":{"type":"continue"}',
      ',"tomorrow":1,"Tomorrow":2',
    ]) {
      expect(await client.messages(body(members)), members).toMatchObject({ status: 400 })
    }
    const hidden = ',"file_id":"file_other","file_id":null'
    expect(await client.messages(body('', hidden))).toMatchObject({ status: 400 })
  })

  test.each([RESPONSES_MODEL, CHAT_MODEL])('is refused on responses: %s', async (model) => {
    const body = (members: string, part?: string) => `{"model":"${model}",${asked(members, part)}}`
    expect((await client.responses(body(''))).status).toBe(200)
    for (const members of [
      `,"model":"${model}"`,
      `,"mod\\u0065l":"${model}"`,
      `,"MODEL":"${model}"`,
      ',"previous_response_id":"resp_other","previous_response_id":null',
      ',"Previous_Response_Id":"resp_other"',
      ',"prompt":{"id":"pmpt_other"},"prompt":null',
      ',"Prompt":{"id":"pmpt_other"}',
      ',"conver\u017fation":"conv_other"',
    ]) {
      expect(await client.responses(body(members)), members).toMatchObject({ status: 400 })
    }
    const hidden = ',"file_id":"file_other","file_id":null'
    expect(await client.responses(body('', hidden))).toMatchObject({ status: 400 })
  })

  const CALLS: [path: string, call: Exclude<keyof TextClient, 'post'>, body: object][] = [
    ['/v1/messages', 'messages', message()],
    ['/v1/messages/count_tokens', 'count', message()],
    ['/v1/responses', 'responses', response()],
    ['/v1/responses/compact', 'compact', response()],
    ['/v1/chat/completions', 'chat', completion()],
  ]
  const SIZES: [name: string, member: string][] = [
    ['a small body', ''],
    ['a body of many bytes', `,"metadata":{"a":"${'x'.repeat(512 * 1024)}"}`],
    ['a body of many values', `,"metadata":{"a":[${'0,'.repeat(9_000)}0]}`],
  ]

  test.each(CALLS.flatMap(([path, call, body]) => SIZES.map((size) => [path, ...size, call, body] as const)))(
    'POST %s 400 for two models in %s',
    async (_path, _size, member, call, body) => {
      const twice = `${JSON.stringify(body).slice(0, -1)}${member},"model":"vendorD/text-large"}`
      const answer = await client[call](twice)
      expect(answer).toMatchObject({ status: 400 })
      expect(answer.text).toMatch(/given (once|twice)/)
    },
  )

  test.each(SIZES)('GET /v1/responses with an upgrade: 400 for two models in %s', async (_size, member) => {
    const socket = await openSocket(api, api.tenant)
    const event = JSON.stringify({ type: 'response.create', ...response() })
    socket.send(`${event.slice(0, -1)}${member},"model":"${CHAT_MODEL}"}`)
    expect(await socket.next()).toMatchObject({ type: 'error', status: 400 })
    socket.ws.close()
  })

  test('stands for itself in another object, and in a text', async () => {
    const text = '{\\"model\\":1,\\"model\\":2}'
    const tools =
      '"tools":[{"name":"a","input_schema":{"type":"object","properties":{"model":{},"Model":{}}}}]'
    const turn = `"messages":[{"role":"user","content":"${text}"}]`
    const answer = await client.messages(`{"model":"${MESSAGES_MODEL}","max_tokens":64,${tools},${turn}}`)
    expect(answer.status).toBe(200)
  })
})
