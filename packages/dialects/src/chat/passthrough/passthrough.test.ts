import { expect, test } from 'vitest'
import { writeSeal } from '../../canonical/seal.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { unsealForeign } from '../../relay/foreign-seals.ts'
import { spliceReply } from '../../relay/splice-reply.ts'
import { chatReferencesVendorState, referencesInChat } from '../references.ts'
import { chatPassthrough } from './passthrough.ts'

const splice = (json: string) => spliceReply(Buffer.from(json), { dialect: 'chat', model: 'vendorC/m' })

test('a whole reply keeps its bytes except the model, and its usage and tier are read', () => {
  const json =
    '{"id":"c1","model":"gpt-x","choices":[{"message":{"content":"Hi"}}, {"message":{"content":"Ho"}}],"big":12345678901234567890,"service_tier":"priority","usage":{"prompt_tokens":7,"completion_tokens":3}}'
  expect(splice(json)).toMatchObject({
    kind: 'reply',
    body: json.replace('gpt-x', 'vendorC/m'),
    tokens: { input: 7, output: 3, surcharges: { tier: 'priority' } },
  })
})

test('a reply without usage is counted over all its choices', () => {
  const json = JSON.stringify({
    choices: [
      { message: { content: 'Hi', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] } },
      { message: { content: null, reasoning_content: 'Hm' } },
    ],
  })
  expect(splice(json)).toMatchObject({ kind: 'reply', tokens: undefined, outputBytes: 6 })
})

test.each<[string, string]>([
  ['<html>', 'broken'],
  ['{"object":"list"}', 'broken'],
  ['{"error":{"message":"No.","code":"server_error"}}', 'vendor'],
  ['{"error":{"message":"No.","code":429}}', 'busy'],
])('%s is not a reply', (json, kind) => {
  expect(splice(json)).toMatchObject({ kind: 'failed', failure: { kind } })
})

test('a proof of another provider is left out, its text stays; requests without proofs keep their bytes', () => {
  const details = [
    { type: 'reasoning.text', text: 'Hm', signature: writeSeal({ provider: 'other', proof: 'p' }) },
    { type: 'reasoning.encrypted', data: writeSeal({ provider: 'vendorC', proof: 'q' }) },
  ]
  const value = { messages: [{ role: 'assistant', reasoning_content: 'Hm', reasoning_details: details }] }
  const bytes = Buffer.from(JSON.stringify(value))
  const unsealed = unsealForeign({ bytes, value }, { dialect: 'chat', provider: 'vendorC' })
  expect(JSON.parse(unsealed.bytes.toString())).toEqual({
    messages: [
      {
        role: 'assistant',
        reasoning_content: 'Hm',
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'q' }],
      },
    ],
  })
  expect(unsealed.losses).toEqual(['foreign_seal'])
  const plain = { bytes: Buffer.from('{"messages":[]}'), value: { messages: [] } }
  expect(unsealForeign(plain, { dialect: 'chat', provider: 'vendorC' }).bytes).toBe(plain.bytes)
})

test('files and sounds of the vendor are references; ids of calls are not', () => {
  const body: JsonObject = {
    metadata: { user_id: 'mine' },
    messages: [
      { role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] },
      {
        role: 'assistant',
        audio: { id: 'audio_1' },
        tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'x' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { id: 'schema' } } }],
  }
  expect(referencesInChat(body)).toEqual({
    named: [
      { param: 'messages.0.content.0.file.file_id', id: 'file-1' },
      { param: 'messages.1.audio.id', id: 'audio_1' },
    ],
    dispensable: [],
  })
  expect(chatReferencesVendorState(body)).toBe(true)
  expect(chatReferencesVendorState({ messages: [{ role: 'user', content: 'file_id' }] })).toBe(false)
})

test('the id of the sound in an answer is kept, so that its organization can name it later', () => {
  const listening = { reply: false, items: false, files: false, keep() {} }
  const body = { choices: [{ message: { audio: { id: 'audio_1' } } }, { message: { content: 'x' } }] }
  expect(chatPassthrough.idsInReply(body, listening)).toEqual(['audio_1'])
})
