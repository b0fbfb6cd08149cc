import { expect, test } from 'vitest'
import { referencesIn, resolveReferences } from './references.ts'

const BODY = {
  model: 'vendorC/model-4.1',
  input: [
    { role: 'user', content: 'Hi' },
    { type: 'item_reference', id: 'msg_1' },
    { id: 'rs_1' },
    { type: 'message', id: 'msg_2', role: 'assistant', content: [] },
  ],
}

test('finds references, with their type and without', () => {
  expect(referencesIn(BODY)).toEqual(['msg_1', 'rs_1'])
  expect(referencesIn({ input: 'Hi' })).toEqual([])
})

test('replaces known references, and leaves the others', () => {
  const kept = { type: 'message', id: 'msg_1', role: 'assistant', content: [] }
  const resolved = resolveReferences(BODY, new Map([['msg_1', kept]]))
  expect(resolved).toEqual({ ...BODY, input: [BODY.input[0], kept, BODY.input[2], BODY.input[3]] })
  expect(referencesIn(BODY)).toEqual(['msg_1', 'rs_1'])
  expect(resolveReferences({ input: 'Hi' }, new Map())).toEqual({ input: 'Hi' })
})

test('an item replaces the first of many references to it', () => {
  const reference = { type: 'item_reference', id: 'msg_1' }
  const item = { type: 'message', role: 'user', content: 'a'.repeat(1_000) }
  const body = { input: Array(1_000).fill(reference) }
  expect(resolveReferences(body, new Map([['msg_1', item]]))).toEqual({
    input: [item, ...Array(999).fill(reference)],
  })
})
