import { expect, test } from 'vitest'
import { readFinish } from './read-finish.ts'

test.each([
  'stop',
  'STOP',
  'tool_calls',
  'function_call',
  'end_turn',
  'eos',
  'eos_token',
  'stop_sequence',
  'tool_use',
  'completed',
  'a_word_of_tomorrow',
])('%s ends a reply well', (word) => {
  expect(readFinish(word)).toEqual({ kind: 'well' })
})

test('a good end may name the stop sequence; the number of a token is none', () => {
  expect(readFinish('stop', 'END')).toEqual({ kind: 'well', sequence: 'END' })
  expect(readFinish('stop', 128_009)).toEqual({ kind: 'well' })
  expect(readFinish('length', 'END')).toEqual({ kind: 'cut', reason: { kind: 'length' } })
})

test.each([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['MAX_TOKENS', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['context_length_exceeded', 'length'],
  ['content_filter', 'content-filter'],
  ['content_filter: PROHIBITED_CONTENT', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['SAFETY', 'content-filter'],
  ['prohibited_content', 'content-filter'],
  ['recitation', 'content-filter'],
  ['blocklist', 'content-filter'],
  ['spii', 'content-filter'],
])('%s cuts a reply short: %s', (word, kind) => {
  expect(readFinish(word)).toEqual({ kind: 'cut', reason: { kind } })
})

test.each([
  ['error', 'vendor'],
  ['ERROR', 'vendor'],
  ['error: upstream gone', 'vendor'],
  ['abort', 'vendor'],
  ['aborted', 'vendor'],
  ['cancelled', 'vendor'],
  ['canceled', 'vendor'],
  ['network_error', 'vendor'],
  ['timeout', 'vendor'],
  ['malformed_function_call', 'vendor'],
  ['function_call_filter: MALFORMED_FUNCTION_CALL', 'vendor'],
  ['function_call_filter: UNEXPECTED_TOOL_CALL', 'vendor'],
  ['engine_overloaded', 'busy'],
  ['Overloaded', 'busy'],
  ['over_capacity', 'busy'],
  ['insufficient_system_resource', 'busy'],
])('%s is a failure: %s', (word, kind) => {
  expect(readFinish(word)).toMatchObject({ kind: 'failed', failure: { kind } })
})
