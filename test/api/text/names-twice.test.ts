import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAT_MODEL, MESSAGES_MODEL, RESPONSES_MODEL, type TextClient, textClientOf } from './call-text.ts'
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

  test('stands for itself in another object, and in a text', async () => {
    const text = '{\\"model\\":1,\\"model\\":2}'
    const tools =
      '"tools":[{"name":"a","input_schema":{"type":"object","properties":{"model":{},"Model":{}}}}]'
    const turn = `"messages":[{"role":"user","content":"${text}"}]`
    const answer = await client.messages(`{"model":"${MESSAGES_MODEL}","max_tokens":64,${tools},${turn}}`)
    expect(answer.status).toBe(200)
  })
})
