import { expect, test } from 'vitest'
import { type ChatVariant, USUAL_CHAT } from '../canonical/chat-variant.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Part } from '../canonical/request.ts'
import { ToolNaming } from '../tools/tool-naming.ts'
import { sealCallSignature } from './call-signature.ts'
import { MessageList } from './message-list.ts'
import { writeAssistant } from './write-assistant.ts'

function write(parts: readonly Part[], variant: Partial<ChatVariant>, provider = 'vendorE') {
  const losses = new Set<LossName>()
  const conversation = new MessageList()
  writeAssistant(parts, conversation, {
    naming: new ToolNaming([]),
    losses,
    provider,
    chat: { ...USUAL_CHAT, ...variant },
  })
  const messages: unknown = JSON.parse(JSON.stringify(conversation.messages))
  return { messages, losses: [...losses] }
}

const text = (words: string): Part => ({ kind: 'text', text: words })

const call = (callId: string): Part => ({
  kind: 'tool-call',
  callId,
  name: 'f',
  namespace: undefined,
  input: { kind: 'json', text: '{"a":1}' },
})

const called = (id: string) => [{ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } }]

const thought = (words: string): Part => ({ kind: 'reasoning', text: words, seal: undefined, hidden: false })

test.each<[what: string, parts: Part[], message: object]>([
  [
    'before a call',
    [thought('Look it up.'), text('One moment.'), call('a')],
    { content: 'One moment.', reasoning_content: 'Look it up.', tool_calls: called('a') },
  ],
  [
    'in pieces',
    [thought('One'), thought('Two'), text('a')],
    { content: 'a', reasoning_content: 'One\n\nTwo' },
  ],
  [
    'where a call was made without any',
    [call('a')],
    { content: null, reasoning_content: ' ', tool_calls: called('a') },
  ],
  ['except with text alone', [text('a')], { content: 'a' }],
])('a vendor that wants reasoning back gets it: %s', (_what, parts, message) => {
  expect(write(parts, { replaysReasoning: true })).toEqual({
    messages: [{ role: 'assistant', ...message }],
    losses: [],
  })
})

test('reasoning without a following part, or without readable text, is lost', () => {
  const alone = write([thought('Hm.')], { replaysReasoning: true })
  expect(alone).toEqual({ messages: [], losses: ['reasoning_replay'] })
  const sealed: Part = { kind: 'reasoning', text: '', seal: undefined, hidden: true }
  expect(write([sealed, text('a')], { replaysReasoning: true }).losses).toEqual(['reasoning_replay'])
})

test('reasoning is sent without a proof that another provider made', () => {
  const sealed: Part = { ...thought('Hm.'), seal: { provider: 'other', proof: 'p' } } as Part
  const { messages, losses } = write([sealed, text('a')], { replaysReasoning: true })
  expect(messages).toEqual([{ role: 'assistant', content: 'a', reasoning_content: 'Hm.' }])
  expect(losses).toEqual(['foreign_seal'])
})

test('reasoning that the client did not see is restored from its seal', () => {
  const proof = `chat.thought.${Buffer.from('Look it up.').toString('base64url')}`
  const sealed: Part = {
    kind: 'reasoning',
    text: '',
    seal: { provider: 'vendorE', proof },
    hidden: false,
  }
  expect(write([sealed, call('a')], { replaysReasoning: true })).toEqual({
    messages: [
      { role: 'assistant', content: null, reasoning_content: 'Look it up.', tool_calls: called('a') },
    ],
    losses: [],
  })
  expect(write([sealed, text('a')], { replaysReasoning: true }, 'vendorF')).toEqual({
    messages: [{ role: 'assistant', content: 'a' }],
    losses: ['foreign_seal', 'reasoning_replay'],
  })
})

const SIGNATURE = { google: { thought_signature: 'c2ln' } }
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } }

const signatureOf = (callId: string, signature: object = SIGNATURE): Part => {
  const seal = sealCallSignature('vendorE', { callId, signature: { ...signature } })
  return { kind: 'reasoning', text: '', seal, hidden: true }
}

const callsOf = (parts: readonly Part[], variant: Partial<ChatVariant> = {}, provider = 'vendorE') => {
  const { messages, losses } = write(parts, variant, provider)
  return { calls: Object(messages)[0].tool_calls, losses }
}

const OTHER_SIGNATURE = { google: { thought_signature: 'b3RoZXI' } }
const signed = (id: string, signature: object = SIGNATURE) => ({ ...called(id)[0], extra_content: signature })

test.each<[where: string, parts: Part[], calls: object[]]>([
  ['in front of it', [signatureOf('a'), call('a'), call('b')], [signed('a'), ...called('b')]],
  ['before some words', [signatureOf('a'), text('One moment.'), call('a')], [signed('a')]],
  ['behind it', [call('a'), call('b'), signatureOf('a')], [signed('a'), ...called('b')]],
  [
    'before all calls',
    [signatureOf('a'), signatureOf('b', OTHER_SIGNATURE), call('a'), call('b')],
    [signed('a'), signed('b', OTHER_SIGNATURE)],
  ],
])(
  'the signature of a call is sent with its call again, from any place where the client put it: %s',
  (_where, parts, calls) => {
    for (const variant of [{}, { checksSignatures: true }]) {
      expect(callsOf(parts, variant)).toEqual({ calls, losses: [] })
    }
  },
)

test('a signature is not sent as reasoning to a vendor that wants reasoning back', () => {
  const { messages, losses } = write([signatureOf('a'), thought('Hm.'), call('a')], {
    replaysReasoning: true,
  })
  expect(messages).toMatchObject([{ reasoning_content: 'Hm.', tool_calls: [{ extra_content: SIGNATURE }] }])
  expect(losses).toEqual([])
  const unreadable: Part = {
    ...{ kind: 'reasoning', text: '', hidden: true },
    seal: { provider: 'vendorE', proof: 'chat.call.x' },
  }
  expect(write([unreadable, text('a')], { replaysReasoning: true })).toEqual({
    messages: [{ role: 'assistant', content: 'a' }],
    losses: ['reasoning_replay'],
  })
})

test('a vendor that checks signatures gets its bypass value for the first unsigned call', () => {
  expect(callsOf([call('a'), call('b')], { checksSignatures: true })).toEqual({
    calls: [signed('a', UNSIGNED), ...called('b')],
    losses: [],
  })
  expect(callsOf([signatureOf('a'), call('a')], { checksSignatures: true }, 'vendorF')).toEqual({
    calls: [signed('a', UNSIGNED)],
    losses: ['reasoning_replay'],
  })
  expect(callsOf([call('a')])).toEqual({ calls: called('a'), losses: [] })
})

test('a signature without its call is lost, and added to no other call', () => {
  expect(callsOf([signatureOf('a'), call('b')])).toEqual({ calls: called('b'), losses: ['reasoning_replay'] })
})
