import { expect, test } from 'vitest'
import { UNSEALED, writeSeal } from '../canonical/seal.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { reasoningProof } from '../responses/reasoning-proof.ts'
import { unsealForeign } from './foreign-seals.ts'

const OURS = writeSeal({ provider: 'vendor.d', proof: 'proof.1==' })
const FOREIGN = writeSeal({ provider: 'vendorC', proof: 'proof.2' })

function unseal(dialect: TextEndpoint, value: Record<string, unknown>) {
  const bytes = Buffer.from(JSON.stringify(value, undefined, 2))
  const { bytes: written, losses } = unsealForeign({ bytes, value }, { dialect, provider: 'vendor.d' })
  return { isSame: written === bytes, value: JSON.parse(written.toString('utf8')), losses }
}

const TEXT = { type: 'text', text: 'Hi' }

test('messages: own proofs are opened, foreign reasoning is left out, with a turn that has nothing else', () => {
  const user = { role: 'user', content: 'gw1. is a word' }
  const messages = [
    user,
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: OURS }, TEXT] },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'b', signature: FOREIGN }, TEXT] },
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: FOREIGN }] },
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: OURS }] },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'c', signature: 'native' }] },
    { role: 'user', content: [] },
  ]
  expect(unseal('messages', { model: 'a/b', messages, extra: { kept: true } })).toEqual({
    isSame: false,
    losses: ['foreign_seal'],
    value: {
      model: 'a/b',
      extra: { kept: true },
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'proof.1==' }, TEXT] },
        { role: 'assistant', content: [TEXT] },
        { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'proof.1==' }] },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'c', signature: 'native' }] },
        { role: 'user', content: [] },
      ],
    },
  })
})

test('responses: own proofs are opened, and items with foreign proofs are left out', () => {
  const input = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: OURS },
    { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: FOREIGN },
    { type: 'reasoning', id: 'rs_3', summary: [], encrypted_content: null },
    { type: 'message', role: 'user', content: FOREIGN },
  ]
  expect(unseal('responses', { input })).toEqual({
    isSame: false,
    losses: ['foreign_seal'],
    value: { input: [{ ...input[0], encrypted_content: 'proof.1==' }, input[2], input[3]] },
  })
})

test('responses: the id is removed from the proof, because the item itself has it', () => {
  const seal = writeSeal({ provider: 'vendor.d', proof: reasoningProof('rs_1', 'proof.1==') })
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal }
  const { value } = unseal('responses', { input: [item] })
  expect(value).toEqual({ input: [{ ...item, encrypted_content: 'proof.1==' }] })
})

test('a request with only own seals has no loss', () => {
  const input = [{ type: 'reasoning', encrypted_content: OURS }]
  expect(unseal('responses', { input }).losses).toEqual([])
})

test.each([
  ['messages', { messages: [{ role: 'assistant', content: [TEXT] }] }],
  ['messages', { messages: [{ role: 'user', content: `What is ${OURS}?` }] }],
  ['messages', { messages: 'gw1.', content: null }],
  ['responses', { input: `What is ${OURS}?` }],
  ['responses', { input: [{ type: 'message', content: [{ type: 'input_text', text: OURS }] }, 'gw1.'] }],
] as const)('without a seal to open, the same bytes are returned: %s %j', (dialect, value) => {
  expect(unseal(dialect, value)).toMatchObject({ isSame: true, losses: [] })
})

test('a proof for the chat dialect of the same provider is left out', () => {
  const seal = writeSeal({ provider: 'vendor.d', proof: 'chat.call.e30' })
  const messages = [{ role: 'assistant', content: [{ type: 'redacted_thinking', data: seal }, TEXT] }]
  expect(unseal('messages', { messages })).toMatchObject({
    losses: ['foreign_seal'],
    value: { messages: [{ content: [TEXT] }] },
  })
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal }
  expect(unseal('responses', { input: [item] })).toMatchObject({
    losses: ['foreign_seal'],
    value: { input: [] },
  })
})

test('reasoning that the gateway marked as unproven is left out too', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: UNSEALED }
  const reported = unseal('messages', { messages: [{ role: 'assistant', content: [thinking, TEXT] }] })
  expect(reported).toMatchObject({
    losses: ['foreign_seal'],
    value: { messages: [{ role: 'assistant', content: [TEXT] }] },
  })
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: UNSEALED }
  expect(unseal('responses', { input: [item] })).toMatchObject({
    losses: ['foreign_seal'],
    value: { input: [] },
  })
})

test('a request that is written anew keeps the numbers of its calls and schemas', () => {
  const input = '{"id":1234567890123456789}'
  const schema = '{"maximum":18446744073709551615}'
  const json = `{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"${OURS}"},{"type":"tool_use","id":"c","name":"f","input":${input}}]}],"tools":[{"name":"f","input_schema":${schema}}]}`
  const { bytes } = unsealForeign(
    { bytes: Buffer.from(json), value: JSON.parse(json) },
    { dialect: 'messages', provider: 'vendor.d' },
  )
  expect(bytes.toString()).toBe(json.replace(OURS, 'proof.1=='))
})
