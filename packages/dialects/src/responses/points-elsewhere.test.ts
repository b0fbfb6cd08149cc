import { expect, test } from 'vitest'
import { responsesReferenceVendorState } from './references.ts'

test.each<[what: string, input: unknown, points: boolean]>([
  ['words', 'Hi', false],
  ['a message of its own', [{ role: 'user', content: 'Hi' }], false],
  ['a reference', [{ type: 'item_reference', id: 'msg_1' }], true],
  ['a bare reference', [{ id: 'msg_1' }], true],
  ['reasoning that the vendor keeps', [{ type: 'reasoning', id: 'rs_1', summary: [] }], true],
  [
    'reasoning that the vendor keeps, with a null proof',
    [{ type: 'reasoning', id: 'rs_1', encrypted_content: null }],
    true,
  ],
  ['reasoning with its proof', [{ type: 'reasoning', id: 'rs_1', encrypted_content: 'x' }], false],
  ['reasoning without an id', [{ type: 'reasoning', summary: [] }], false],
  ['a message with an id', [{ type: 'message', id: 'msg_1', role: 'assistant', content: [] }], true],
  ['a call with an id', [{ type: 'function_call', id: 'fc_1', call_id: 'call_1' }], true],
  ['a call without one', [{ type: 'function_call', id: null, call_id: 'call_1' }], false],
  ['a file', [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }], true],
  ['a file in a result', [{ type: 'function_call_output', output: [{ file_id: 'file_1' }] }], true],
  ['an inline file', [{ role: 'user', content: [{ type: 'input_file', file_data: '' }] }], false],
])('%s: %s', (_, input, points) => {
  expect(responsesReferenceVendorState({ model: 'vendorC/model-4.1', input })).toBe(points)
})

test('a prompt that the vendor keeps', () => {
  expect(responsesReferenceVendorState({ prompt: { id: 'pmpt_1' } })).toBe(true)
  expect(responsesReferenceVendorState({ prompt: null, input: 'Hi' })).toBe(false)
})
