import { expect, test } from 'vitest'
import { eventsOf, ORIGIN, sseOf } from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readCallSignature, sealCallSignature } from './call-signature.ts'
import { readChatReply } from './read-stream.ts'

const SIGNATURE = { google: { thought_signature: 'Cs8B/+==' } }
const beside = { extra_content: SIGNATURE }

const call = (index: number, more: object = {}) => ({
  ...{ index, id: `call_${index}`, type: 'function' },
  function: { name: 'look', arguments: '{"at":"sky"}' },
  ...more,
})

const inChunks = (...pieces: object[]) => {
  const chunks = pieces.map((piece) => chunkOf({ tool_calls: [piece] }))
  return eventsOf([sseOf([...chunks, chunkOf({}, 'tool_calls')])], ORIGIN)
}

function whole(calls: readonly object[], origin = ORIGIN): ReplyEvent[] {
  const message = { role: 'assistant', content: null, tool_calls: calls }
  return readChatReply({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }, origin)
}

/** Ids of calls, and `signature of <id>` for the signature of a call. */
function reportedBy(events: readonly ReplyEvent[]): string[] {
  return foldBlocks(events).map(({ head, seal }) => {
    if (head.kind === 'tool-call') return head.callId
    const signed = seal && readCallSignature(seal.proof)
    expect(signed?.signature).toEqual(SIGNATURE)
    return `signature of ${signed?.callId}`
  })
}

test.each<[what: string, events: ReplyEvent[], reported: string[]]>([
  ['in a whole reply', whole([call(0, beside), call(1)]), ['signature of call_0', 'call_0', 'call_1']],
  [
    'where reasoning is sealed too',
    whole([call(0, beside)], { ...ORIGIN, sealsReasoning: true }),
    ['signature of call_0', 'call_0'],
  ],
  [
    'of each call that has one',
    inChunks(call(0, beside), call(1, beside)),
    ['signature of call_0', 'call_0', 'signature of call_1', 'call_1'],
  ],
  [
    'before its name',
    inChunks({ index: 0, id: 'call_0', ...beside }, call(0)),
    ['signature of call_0', 'call_0'],
  ],
  ['of a call without an id', whole([call(0, { id: '', ...beside })]), ['signature of call__0', 'call__0']],
])('the signature of a call is sealed before the call: %s', (_what, events, reported) => {
  expect(reportedBy(events)).toEqual(reported)
})

test.each<[what: string, pieces: object[], reported: string[]]>([
  ['in a chunk of its own', [call(0), { index: 0, ...beside }], ['call_0', 'signature of call_0']],
  ['without an index', [call(0), beside], ['call_0', 'signature of call_0']],
  ['with a call that is sent twice', [call(0), call(0, beside)], ['call_0', 'signature of call_0']],
  [
    'after the next call',
    [call(0), call(1), { index: 0, ...beside }],
    ['call_0', 'call_1', 'signature of call_0'],
  ],
])('a late signature is sealed after its call: %s', (_what, pieces, reported) => {
  expect(reportedBy(inChunks(...pieces))).toEqual(reported)
})

test('a dropped call loses its signature', () => {
  const nothing = { id: '', function: { name: '', arguments: '' }, ...beside }
  expect(whole([nothing]).at(-1)).toMatchObject({ kind: 'reply-failed', failure: { kind: 'broken' } })
  expect(reportedBy(whole([call(0), { ...nothing, index: 1 }]))).toEqual(['call_0'])
})

const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

test.each([
  ['nothing', {}],
  ['a list', [1]],
  ['a text', 'x'],
  ['a number', 1],
  ['too deep', deep(9)],
])('an extra_content that is not a signature is dropped: %s', (_what, odd) => {
  expect(reportedBy(whole([call(0, { extra_content: odd })]))).toEqual(['call_0'])
})

test('other proofs are not signatures', () => {
  const signed = { callId: 'call_0', signature: SIGNATURE }
  const { proof } = sealCallSignature('vendorC', signed)
  expect(readCallSignature(proof)).toEqual(signed)
  const spell = (value: unknown) => `chat.call.${Buffer.from(JSON.stringify(value)).toString('base64url')}`
  const others = [
    '',
    'chat.call.',
    'chat.call.%',
    spell([]),
    spell({ callId: 'a' }),
    spell({ note: SIGNATURE }),
  ]
  others.push(proof.slice('chat.'.length), spell({ callId: 'a', note: deep(5_000) }))
  for (const other of others) expect(readCallSignature(other)).toBeUndefined()
})
