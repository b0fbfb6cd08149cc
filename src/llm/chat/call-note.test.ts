import { expect, test } from 'vitest'
import { eventsOf, ORIGIN, sseOf } from '../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../test/fixtures/text/chat/spell-chunks.ts'
import { foldBlocks } from '../../../test/fixtures/text/fold-blocks.ts'
import { readCallNote, sealCallNote } from './call-note.ts'
import { readChatReply } from './read-reply.ts'

const NOTE = { google: { thought_signature: 'Cs8B/+==' } }

const call = (index: number, more: object = {}) => ({
  ...{ index, id: `call_${index}`, type: 'function' },
  function: { name: 'look', arguments: '{"at":"sky"}' },
  ...more,
})

const calls = [call(0, { extra_content: NOTE }), call(1)]
const message = { role: 'assistant', content: null, tool_calls: calls }
const WHOLE = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
const chunks = [chunkOf({ tool_calls: [calls[0]] }), chunkOf({ tool_calls: [calls[1]] }, 'tool_calls')]

test.each([
  ['whole', (origin: typeof ORIGIN) => readChatReply(WHOLE, origin)],
  ['in chunks', (origin: typeof ORIGIN) => eventsOf([sseOf(chunks)], origin)],
])('what a vendor wrote beside a call is sealed in front of it: %s', (_how, read) => {
  for (const sealsReasoning of [false, true]) {
    const blocks = foldBlocks(read({ ...ORIGIN, sealsReasoning }))
    const told = blocks.map(({ head, text, seal }) => [head.kind, text, seal && readCallNote(seal.proof)])
    expect(told).toEqual([
      ['reasoning', '', NOTE],
      ['tool-call', '{"at":"sky"}', undefined],
      ['tool-call', '{"at":"sky"}', undefined],
    ])
  }
})

test('other proofs are no notes', () => {
  const { proof } = sealCallNote('vendorC', NOTE)
  expect(readCallNote(proof)).toEqual(NOTE)
  for (const other of ['', 'call', 'call.', 'call.W10', 'call.%', proof.slice('call.'.length)]) {
    expect(readCallNote(other)).toBeUndefined()
  }
})
