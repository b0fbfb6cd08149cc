import { expect, test } from 'vitest'
import { PLAIN_REQUEST } from '../../../test/fixtures/text/plain-request.ts'
import { USUAL_CHAT } from './canonical/chat-variant.ts'
import type { Part, ResultPart, Turn } from './canonical/request.ts'
import { VENDOR_DIALECTS } from './dialects.ts'
import { nineCharacterId, shortCallId } from './values/names.ts'

const PICTURE: ResultPart = {
  kind: 'image',
  source: { kind: 'url', url: 'https://a.example/a.png' },
  detail: undefined,
}

function call(callId: string, kind: 'json' | 'text'): Part {
  return { kind: 'tool-call', callId, name: 'f', namespace: undefined, input: { kind, text: '{}' } }
}

function result(callId: string, isCustom: boolean): Part {
  return { kind: 'tool-result', callId, isCustom, isError: false, parts: [PICTURE] }
}

function write(turns: Turn[]): string {
  const target = { model: 'm', provider: 'p', maxOutputTokens: undefined, reasons: true }
  return JSON.stringify(VENDOR_DIALECTS.responses.writeRequest({ ...PLAIN_REQUEST, turns }, target).body)
}

const MAX = 64

test('vendors of responses take ids of at most 64 characters: calls and their results get the same shortened id', () => {
  const [fits, one, two] = ['i'.repeat(MAX), `${'i'.repeat(MAX)}1`, `${'i'.repeat(MAX)}2`] as const
  const turns = (ids: readonly [string, string, string]): Turn[] => [
    { role: 'assistant', parts: [call(ids[0], 'json'), call(ids[1], 'json'), call(ids[2], 'text')] },
    { role: 'user', parts: [result(ids[2], true), result(ids[0], false), result(ids[1], false)] },
  ]
  const shortened = turns([fits, shortCallId(one, MAX), shortCallId(two, MAX)])
  expect(write(turns([fits, one, two]))).toBe(write(shortened))
  expect(write(shortened)).toContain(shortCallId(one, MAX))
})

test('vendors of chat that accept only nine letters and digits get such ids, alike for a call and its result', () => {
  const turns: Turn[] = [
    { role: 'assistant', parts: [call('call_1', 'json')] },
    { role: 'user', parts: [result('call_1', false)] },
  ]
  const chat = { ...USUAL_CHAT, callIds: 'nine' } as const
  const target = { model: 'm', provider: 'p', maxOutputTokens: undefined, reasons: false, chat }
  const { body } = VENDOR_DIALECTS.chat.writeRequest({ ...PLAIN_REQUEST, turns }, target)
  const id = nineCharacterId('call_1')
  expect(body).toMatchObject({
    messages: [
      { role: 'assistant', tool_calls: [{ id }] },
      { role: 'tool', tool_call_id: id },
      { role: 'user' },
    ],
  })
})
