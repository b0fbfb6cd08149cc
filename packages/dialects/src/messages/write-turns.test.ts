import { expect, test } from 'vitest'
import {
  assistant,
  call,
  HI,
  result,
  text,
  user,
  write,
} from '../../../../test/fixtures/text/messages/request-parts.ts'
import type { Part, Turn } from '../canonical/request.ts'

/** Cache mark on the last part, since the next request may repeat this prompt. */
const MARKED = { cache_control: { type: 'ephemeral' } }

const messagesOf = (...turns: Turn[]) => write({ turns }).body.messages

test('first system turns form the system prompt, and later ones stay in place', () => {
  const { body } = write({
    turns: [
      { role: 'system', parts: [text('Be a gate.')] },
      { role: 'developer', parts: [text('Be brief.')] },
      ...HI,
      assistant(text('Hello.')),
      { role: 'developer', parts: [text('It is late.')] },
      user(text('So?')),
    ],
  })
  expect(body.system).toEqual([
    { type: 'text', text: 'Be a gate.' },
    { type: 'text', text: 'Be brief.', ...MARKED },
  ])
  expect(body.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system>\nIt is late.\n</system>' },
        { type: 'text', text: 'So?', ...MARKED },
      ],
    },
  ])
})

test('a blank last message gets a replacement, so that the model does not continue its own text', () => {
  expect(messagesOf(user(text('a')), assistant(text('b')), user(text(' ')))).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'a' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
    { role: 'user', content: [{ type: 'text', text: '(The conversation goes on.)', ...MARKED }] },
  ])
  const blank: Turn = { role: 'developer', parts: [text(' ')] }
  expect(messagesOf(user(text('a')), assistant(text('b')), user(text(' ')), blank)).toHaveLength(3)
  expect(messagesOf(user(text('a')), assistant(text('b')))).toHaveLength(2)
})

test('turns of one speaker in a row are one message, with results first', () => {
  const messages = messagesOf(
    user(text('Go.')),
    assistant(text('I will.')),
    assistant(call('c1'), call('c2')),
    { role: 'developer', parts: [text('Hurry.')] },
    user(result('c1', { kind: 'text', text: 'one' })),
    user(result('c2')),
    user(text('And?')),
  )
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(messages[1].content).toMatchObject([{ type: 'text' }, { id: 'c1' }, { id: 'c2' }])
  expect(messages[2].content).toEqual([
    { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'one' }] },
    { type: 'tool_result', tool_use_id: 'c2' },
    { type: 'text', text: '<system>\nHurry.\n</system>' },
    { type: 'text', text: 'And?', ...MARKED },
  ])
})

test('a conversation always begins with the user', () => {
  expect(messagesOf(assistant(text('Hello.')))).toMatchObject([{ role: 'user' }, { role: 'assistant' }])
  expect(messagesOf({ role: 'system', parts: [text('Be brief.')] })).toMatchObject([{ role: 'user' }])
})

test('texts of blanks and turns without content are left out', () => {
  expect(messagesOf(user(text('Hi')), assistant(text('')), user(text(' \n'), text('So?')))).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'text', text: 'So?' },
      ],
    },
  ])
})

test('pictures and documents', () => {
  const [message] = messagesOf(
    user(
      { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' }, detail: 'auto' },
      { kind: 'image', source: { kind: 'url', url: 'https://x.example/a' }, detail: undefined },
      {
        kind: 'document',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'AA' },
        name: 'a.pdf',
      },
      { kind: 'document', source: { kind: 'base64', mediaType: 'text/markdown', data: 'aMOp' }, name: '' },
      { kind: 'document', source: { kind: 'url', url: 'https://x.example/b' }, name: undefined },
    ),
  )
  expect(message.content).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
    { type: 'image', source: { type: 'url', url: 'https://x.example/a' } },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AA' },
      title: 'a.pdf',
    },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hé' } },
    { type: 'document', source: { type: 'url', url: 'https://x.example/b' } },
  ])
})

test.each<Part>([
  { kind: 'image', source: { kind: 'url', url: 'http://x.example/a' }, detail: undefined },
  { kind: 'document', source: { kind: 'url', url: 'http://x.example/a' }, name: undefined },
  {
    kind: 'document',
    source: { kind: 'base64', mediaType: 'application/zip', data: 'AA' },
    name: undefined,
  },
])('refused: %j', (part) => {
  expect(() => write({ turns: [user(part)] })).toThrow(expect.objectContaining({ code: 'invalid_parameter' }))
})

test('the requested detail of an image is lost', () => {
  const part: Part = { kind: 'image', source: { kind: 'url', url: 'https://x.example/a' }, detail: 'high' }
  expect(write({ turns: [user(part)] }).losses).toEqual(['image_detail'])
})

test('calls keep their arguments, also those that are not JSON', () => {
  const custom: Part = {
    kind: 'tool-call',
    callId: 'c',
    name: 'patch',
    namespace: undefined,
    input: { kind: 'text', text: '*** {' },
  }
  const [, message] = messagesOf(
    ...HI,
    assistant(call('c.1:x'), call('c2', 'f', ''), call('c3', 'f', '{"a'), custom),
  )
  expect(message.content).toEqual([
    { type: 'tool_use', id: 'c_2e1_3ax', name: 'f', input: { a: 1 } },
    { type: 'tool_use', id: 'c2', name: 'f', input: {} },
    { type: 'tool_use', id: 'c3', name: 'f', input: { input: '{"a' } },
    { type: 'tool_use', id: 'c', name: 'patch', input: { input: '*** {' } },
  ])
})

test('a failed result is marked as an error', () => {
  const failed: Part = { kind: 'tool-result', callId: 'c', isCustom: true, isError: true, parts: [] }
  expect(messagesOf(user(failed))[0].content).toEqual([
    { type: 'tool_result', tool_use_id: 'c', is_error: true },
  ])
})

test('reasoning goes back only to the provider that sealed it', () => {
  const thought = (proof: string | undefined, provider = 'vendorD', said = 'Hm.'): Part => ({
    kind: 'reasoning',
    text: said,
    seal: proof === undefined ? undefined : { provider, proof },
    hidden: said === '',
  })
  const { body, losses } = write({
    turns: [
      ...HI,
      assistant(
        thought('sig'),
        thought('redacted:blob', 'vendorD', ''),
        thought('omitted', 'vendorD', ''),
        thought('x', 'vendorC'),
        thought(undefined),
        text('So.'),
      ),
    ],
  })
  expect(body.messages[1].content).toEqual([
    { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
    { type: 'redacted_thinking', data: 'blob' },
    { type: 'thinking', thinking: '', signature: 'omitted' },
    { type: 'text', text: 'So.' },
  ])
  expect(losses).toEqual(['foreign_seal', 'reasoning_replay'])
})

test('opaque blocks of this dialect pass; those of other dialects are lost', () => {
  const raw = { type: 'server_tool_use', id: 's' }
  const { body, losses } = write({
    turns: [user({ kind: 'opaque', origin: 'messages', raw }, { kind: 'opaque', origin: 'responses', raw })],
  })
  expect(body.messages[0].content).toEqual([raw])
  expect(losses).toEqual(['unknown_block'])
})

test('a message never ends with reasoning, and an answer to continue never with a blank', () => {
  const thought: Part = {
    kind: 'reasoning',
    text: 'Hm.',
    seal: { provider: 'vendorD', proof: 's' },
    hidden: false,
  }
  const cut = write({ turns: [...HI, assistant(thought), user(text('Go on.'))] })
  expect(cut.body.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ])
  expect(cut.losses).toEqual(['reasoning_replay'])
  const last = write({ turns: [...HI, assistant(text('So. '), thought)] })
  expect(last.body.messages.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'So.' }] })
  expect(last.losses).toEqual(['reasoning_replay'])
})
