import { expect, test } from 'vitest'
import { USUAL_CHAT } from '../canonical/chat-variant.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Part, ResultPart, Turn } from '../canonical/request.ts'
import { ToolNaming } from '../tools/tool-naming.ts'
import { writeTurns } from './write-turns.ts'

function write(turns: readonly Turn[]): { messages: unknown; losses: LossName[] } {
  const losses = new Set<LossName>()
  const messages = writeTurns(turns, {
    naming: new ToolNaming([]),
    losses,
    provider: 'vendorE',
    chat: USUAL_CHAT,
  })
  return { messages: JSON.parse(JSON.stringify(messages)), losses: [...losses] }
}

function text(words: string): Extract<Part, { kind: 'text' }> {
  return { kind: 'text', text: words }
}

function call(callId: string, input: 'json' | 'text' = 'json'): Part {
  return {
    kind: 'tool-call',
    callId,
    name: 'f',
    namespace: undefined,
    input: { kind: input, text: input === 'json' ? '{"a":1}' : 'a "b"' },
  }
}

function result(callId: string, parts: ResultPart[] = [text(`${callId} done`)], isError = false): Part {
  return { kind: 'tool-result', callId, isCustom: false, isError, parts }
}

const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const answered = (id: string) => ({ role: 'tool', tool_call_id: id, content: `${id} done` })
const called = (...ids: string[]) =>
  ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } }))

const IMAGE: ResultPart = {
  kind: 'image',
  source: { kind: 'base64', mediaType: 'image/png', data: 'iVBO' },
  detail: undefined,
}
const IMAGE_WRITTEN = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }

test.each<[what: string, turns: Turn[], messages: object[]]>([
  [
    'system blocks are joined',
    [{ role: 'system', parts: [text('One'), text(''), text('Two')] }],
    [{ role: 'system', content: 'One\n\nTwo' }],
  ],
  [
    'system and developer turns keep their place and their role',
    [
      { role: 'developer', parts: [text('Be brief.')] },
      user(text('Hi')),
      { role: 'system', parts: [text('Now in French.')] },
    ],
    [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Now in French.' },
    ],
  ],
  [
    'texts of a user are one string',
    [user(text('One'), text('Two'))],
    [{ role: 'user', content: 'One\n\nTwo' }],
  ],
  [
    'text beside an image is a part',
    [user(text('Look'), IMAGE)],
    [{ role: 'user', content: [{ type: 'text', text: 'Look' }, IMAGE_WRITTEN] }],
  ],
  [
    'an image by its address, with its detail',
    [user({ kind: 'image', source: { kind: 'url', url: 'https://a.example/a.png' }, detail: 'low' })],
    [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'https://a.example/a.png', detail: 'low' } }],
      },
    ],
  ],
  [
    'a document is a file',
    [
      user({
        kind: 'document',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBE' },
        name: undefined,
      }),
    ],
    [
      {
        role: 'user',
        content: [
          { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
        ],
      },
    ],
  ],
  [
    'a document of plain text is text',
    [
      user(
        { kind: 'document', source: { kind: 'text', text: 'abc' }, name: 'notes' },
        {
          kind: 'document',
          source: { kind: 'base64', mediaType: 'text/plain', data: '5rC0' },
          name: undefined,
        },
      ),
    ],
    [{ role: 'user', content: 'notes\n\nabc\n\n水' }],
  ],
  [
    'turns without content are left out',
    [user(), user(text('')), assistant(text('')), { role: 'system', parts: [] }],
    [],
  ],
  [
    'words and calls of an assistant are one message',
    [assistant(text('Let me see.'), call('a'), call('b'))],
    [{ role: 'assistant', content: 'Let me see.', tool_calls: called('a', 'b') }],
  ],
  [
    'calls over turns in a row are one message',
    [assistant(text('Hm.')), assistant(call('a')), assistant(call('b'))],
    [{ role: 'assistant', content: 'Hm.', tool_calls: called('a', 'b') }],
  ],
  [
    'a call of free text is wrapped',
    [assistant(call('a', 'text'))],
    [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"input":"a \\"b\\""}' } },
        ],
      },
    ],
  ],
  [
    'a refusal has its own place',
    [assistant({ kind: 'refusal', text: 'No.' })],
    [{ role: 'assistant', content: null, refusal: 'No.' }],
  ],
  [
    'results stand directly behind their calls',
    [
      user(text('Go')),
      assistant(call('a'), call('b')),
      { role: 'developer', parts: [text('Wait.')] },
      user(text('And?'), result('b')),
      user(result('a')),
    ],
    [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: null, tool_calls: called('a', 'b') },
      answered('b'),
      answered('a'),
      { role: 'developer', content: 'Wait.' },
      { role: 'user', content: 'And?' },
    ],
  ],
  [
    'an id that is used again belongs to the last call',
    [assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))],
    [
      { role: 'assistant', content: null, tool_calls: called('a') },
      answered('a'),
      { role: 'assistant', content: null, tool_calls: called('a') },
      answered('a'),
    ],
  ],
  [
    'a result without a call stays',
    [user(result('x'), text('Hi'))],
    [answered('x'), { role: 'user', content: 'Hi' }],
  ],
  [
    'a failed tool is said to have failed',
    [user(result('x', [text('boom')], true))],
    [{ role: 'tool', tool_call_id: 'x', content: '[The tool failed.]\nboom' }],
  ],
  ['a result without content', [user(result('x', []))], [{ role: 'tool', tool_call_id: 'x', content: '' }]],
  [
    'images of results follow in the next user message',
    [assistant(call('a'), call('b')), user(result('a', [text('see'), IMAGE]), result('b'), text('Well?'))],
    [
      { role: 'assistant', content: null, tool_calls: called('a', 'b') },
      {
        role: 'tool',
        tool_call_id: 'a',
        content: 'see\n[Images or files of this result follow in the next user message.]',
      },
      answered('b'),
      {
        role: 'user',
        content: [
          { type: 'text', text: '[Images or files of the result of tool call a:]' },
          IMAGE_WRITTEN,
          { type: 'text', text: 'Well?' },
        ],
      },
    ],
  ],
])('%s', (_what, turns, messages) => {
  expect(write(turns)).toEqual({ messages, losses: [] })
})

test.each<[turn: Turn, losses: LossName[]]>([
  [
    assistant(
      { kind: 'reasoning', text: 'Hm', seal: { provider: 'vendorC', proof: 'p' }, hidden: false },
      text('a'),
    ),
    ['reasoning_replay'],
  ],
  [
    assistant({ kind: 'opaque', origin: 'responses', raw: { type: 'web_search_call' } }, text('a')),
    ['unknown_block'],
  ],
  [user({ kind: 'opaque', origin: 'messages', raw: {} }, text('a')), ['unknown_block']],
  [{ role: 'system', parts: [IMAGE, text('a')] }, ['unknown_block']],
])('%j declares %j', (turn, losses) => {
  const written = write([turn])
  expect(written.losses).toEqual(losses)
  expect(written.messages).toEqual([{ role: turn.role, content: 'a' }])
})

test('a detail this dialect does not know is lost', () => {
  const written = write([
    user({
      kind: 'image',
      source: { kind: 'base64', mediaType: 'image/png', data: 'iVBO' },
      detail: 'original',
    }),
  ])
  expect(written).toEqual({
    messages: [{ role: 'user', content: [IMAGE_WRITTEN] }],
    losses: ['image_detail'],
  })
})
