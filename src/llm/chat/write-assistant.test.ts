import { expect, test } from 'vitest'
import type { LossName } from '../hub/losses.ts'
import type { Part } from '../hub/text-request.ts'
import { ToolNaming } from '../hub/tool-naming.ts'
import { Conversation } from './conversation.ts'
import { writeAssistant } from './write-assistant.ts'

function write(parts: readonly Part[], { replaysTo }: { replaysTo: string | undefined }) {
  const losses = new Set<LossName>()
  const conversation = new Conversation()
  writeAssistant(parts, conversation, { naming: new ToolNaming([]), losses, replaysTo })
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
  ['not where nothing was thought or called', [text('a')], { content: 'a' }],
])('a vendor that wants it is given the reasoning back: %s', (_what, parts, message) => {
  expect(write(parts, { replaysTo: 'vendorE' })).toEqual({
    messages: [{ role: 'assistant', ...message }],
    losses: [],
  })
})

test('reasoning that nothing followed, or that cannot be read, is lost all the same', () => {
  const alone = write([thought('Hm.')], { replaysTo: 'vendorE' })
  expect(alone).toEqual({ messages: [], losses: ['reasoning_replay'] })
  const sealed: Part = { kind: 'reasoning', text: '', seal: undefined, hidden: true }
  expect(write([sealed, text('a')], { replaysTo: 'vendorE' }).losses).toEqual(['reasoning_replay'])
})

test('a proof that another provider made is not sent with it', () => {
  const sealed: Part = { ...thought('Hm.'), seal: { provider: 'other', proof: 'p' } } as Part
  const { messages, losses } = write([sealed, text('a')], { replaysTo: 'vendorE' })
  expect(messages).toEqual([{ role: 'assistant', content: 'a', reasoning_content: 'Hm.' }])
  expect(losses).toEqual(['foreign_seal'])
})

test('reasoning that the client was not shown comes back out of its seal', () => {
  const proof = Buffer.from('Look it up.').toString('base64url')
  const sealed: Part = { kind: 'reasoning', text: '', seal: { provider: 'vendorE', proof }, hidden: false }
  expect(write([sealed, call('a')], { replaysTo: 'vendorE' })).toEqual({
    messages: [
      { role: 'assistant', content: null, reasoning_content: 'Look it up.', tool_calls: called('a') },
    ],
    losses: [],
  })
  expect(write([sealed, text('a')], { replaysTo: 'vendorF' })).toEqual({
    messages: [{ role: 'assistant', content: 'a' }],
    losses: ['foreign_seal', 'reasoning_replay'],
  })
})
