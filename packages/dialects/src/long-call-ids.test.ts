import { expect, test } from 'vitest'
import { PLAIN_REQUEST } from '../../../test/fixtures/text/plain-request.ts'
import type { Part, ResultPart, Turn } from './canonical/request.ts'
import { VENDOR_DIALECTS } from './dialects.ts'
import { shortCallId } from './values/names.ts'

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

test('vendors of responses take ids of 64 characters: longer ones are shortened alike everywhere', () => {
  const [fits, one, two] = ['i'.repeat(MAX), `${'i'.repeat(MAX)}1`, `${'i'.repeat(MAX)}2`] as const
  const turns = (ids: readonly [string, string, string]): Turn[] => [
    { role: 'assistant', parts: [call(ids[0], 'json'), call(ids[1], 'json'), call(ids[2], 'text')] },
    { role: 'user', parts: [result(ids[2], true), result(ids[0], false), result(ids[1], false)] },
  ]
  const shortened = turns([fits, shortCallId(one, MAX), shortCallId(two, MAX)])
  expect(write(turns([fits, one, two]))).toBe(write(shortened))
  expect(write(shortened)).toContain(shortCallId(one, MAX))
})
