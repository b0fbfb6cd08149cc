import { expect, test } from 'vitest'
import type { JsonObject } from '../json/json-object.ts'
import { asksForLongCache } from './cache-marks.ts'

const LONG = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const text = (more: object) => ({ type: 'text', text: 'Hi', ...more })

test.each<[where: string, body: JsonObject]>([
  ['the request itself', LONG],
  ['a tool', { tools: [{ name: 'look', ...LONG }] }],
  ['the system prompt', { system: [text({}), text(LONG)] }],
  ['a turn', { messages: [{ role: 'user', content: [text(LONG)] }] }],
  [
    'the result of a tool',
    { messages: [{ role: 'user', content: [{ type: 'tool_result', content: [text(LONG)] }] }] },
  ],
  ['a message of the chat dialect', { messages: [{ role: 'user', content: 'Hi', ...LONG }] }],
])('a long mark on %s', (_where, body) => {
  expect(asksForLongCache(body)).toBe(true)
})

test.each<[what: string, body: JsonObject]>([
  ['no marks', { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] }],
  ['five minutes', { system: [text({ cache_control: { type: 'ephemeral', ttl: '5m' } })] }],
  ['no time', { system: [text({ cache_control: { type: 'ephemeral' } })] }],
  ['values that are not marks', { system: [text({ cache_control: '1h' })], messages: null, tools: {} }],
  [
    'the input of a call',
    { messages: [{ role: 'assistant', content: [{ type: 'tool_use', input: LONG }] }] },
  ],
])('%s', (_what, body) => {
  expect(asksForLongCache(body)).toBe(false)
})
