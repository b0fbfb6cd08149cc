import { expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { UNSEALED } from '../canonical/seal.ts'
import { readMessagesRequest } from './read-request.ts'

const GOOD = { model: 'vendorC/model-4.1', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }
const read = (more: object) => readMessagesRequest({ ...GOOD, ...more })
const partsOf = (...content: object[]) => {
  const { turns, losses } = read({ messages: [{ role: 'assistant', content }] })
  return { parts: turns[0]?.parts, losses }
}

const FIELD = ['unknown_field']

test('the system prompt comes first, system turns stay where they are', () => {
  const { turns, losses } = read({
    system: [
      { type: 'text', text: 'You are a gate.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Be brief.' },
    ],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'It is late.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
      { role: 'system', content: [{ type: 'text', text: 'Later.' }] },
    ],
  })
  expect(turns.map(({ role }) => role)).toEqual(['system', 'user', 'system', 'assistant', 'system'])
  expect(turns[0]?.parts).toEqual([
    { kind: 'text', text: 'You are a gate.' },
    { kind: 'text', text: 'Be brief.' },
  ])
  expect(losses).toEqual(['cache_control'])
  expect(read({ system: '' }).turns).toHaveLength(1)
})

const BILLING = 'x-anthropic-billing-header: cc_version=2.1.77; cc_entrypoint=cli; cch=00000;'

test.each<[system: unknown, texts: string[]]>([
  [
    [
      { type: 'text', text: BILLING },
      { type: 'text', text: 'You are a gate.' },
    ],
    ['You are a gate.'],
  ],
  [`${BILLING}\nYou are a gate.`, ['You are a gate.']],
  [
    'Not a line of its own: x-anthropic-billing-header: x',
    ['Not a line of its own: x-anthropic-billing-header: x'],
  ],
  [BILLING, []],
])('the billing line of an agent goes only to its own vendor: %j', (system, texts) => {
  const { turns, losses } = read({ system })
  const said = turns.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts)
  expect(said).toEqual(texts.map((text) => ({ kind: 'text', text })))
  expect(losses).toEqual([])
})

test('images and documents', () => {
  const { parts, losses } = partsOf(
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } },
    { type: 'document', title: 'T', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
    { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
    { type: 'document', citations: { enabled: true }, source: { type: 'url', url: 'https://x.example/b' } },
    {
      type: 'search_result',
      title: 'S',
      source: 'https://x.example',
      content: [{ type: 'text', text: 'b' }],
    },
  )
  expect(parts).toEqual([
    {
      kind: 'image',
      source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
      detail: undefined,
    },
    { kind: 'image', source: { kind: 'url', url: 'https://x.example/a.png' }, detail: undefined },
    {
      kind: 'document',
      source: { kind: 'base64', mediaType: 'application/pdf', data: 'AA' },
      name: 'T',
    },
    { kind: 'document', source: { kind: 'text', text: 'plain' }, name: undefined },
    { kind: 'document', source: { kind: 'text', text: 'a' }, name: undefined },
    { kind: 'document', source: { kind: 'url', url: 'https://x.example/b' }, name: undefined },
    { kind: 'text', text: 'S\nhttps://x.example\nb' },
  ])
  expect(losses).toEqual(['citations'])
})

test('calls and results', () => {
  const { parts, losses } = partsOf(
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: [1] } },
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'fine' },
    { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true },
    {
      type: 'tool_result',
      tool_use_id: 'toolu_3',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } },
        { type: 'tool_reference', tool_name: 'late_tool' },
        { type: 'of_tomorrow' },
      ],
    },
  )
  const none = { isCustom: false, isError: false }
  expect(parts).toEqual([
    {
      kind: 'tool-call',
      callId: 'toolu_1',
      name: 'f',
      namespace: undefined,
      input: { kind: 'json', text: '{"a":[1]}' },
    },
    { kind: 'tool-result', callId: 'toolu_1', ...none, parts: [{ kind: 'text', text: 'fine' }] },
    { kind: 'tool-result', callId: 'toolu_2', ...none, isError: true, parts: [] },
    {
      kind: 'tool-result',
      callId: 'toolu_3',
      ...none,
      parts: [
        { kind: 'text', text: 'see' },
        { kind: 'image', source: { kind: 'url', url: 'https://x.example/a.png' }, detail: undefined },
        { kind: 'text', text: 'Tool found: late_tool' },
      ],
    },
  ])
  expect(losses).toEqual(['tool_reference', 'unknown_block'])
})

const PICTURE = { type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } }
const FOUND = { type: 'search_result', title: 'S', source: 's', content: [{ type: 'text', text: 'b' }] }
const CACHED = { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } }
const CITED = { type: 'text', text: 'b', citations: [{ type: 'char_location' }] }

test.each<[string, object, string[]]>([
  ['a search result whose citations are enabled', { ...FOUND, citations: { enabled: true } }, ['citations']],
  ['a search result whose citations are disabled', { ...FOUND, citations: { enabled: false } }, []],
  ['a cache mark inside of a search result', { ...FOUND, content: [CACHED] }, ['cache_control']],
  [
    'a cache mark inside of a document',
    { type: 'document', source: { type: 'content', content: [CACHED] } },
    ['cache_control'],
  ],
  ['a text with citations', CITED, ['citations']],
  ['a text with an empty list of citations', { ...CITED, citations: [] }, []],
  ['an image that must not shrink', { ...PICTURE, transformations: { oversized_image: 'error' } }, FIELD],
  ['an image with empty transformations', { ...PICTURE, transformations: {} }, []],
  ['an unknown field of an image', { ...PICTURE, alt: 'A tap.' }, FIELD],
  [
    'an unknown field of its source',
    { ...PICTURE, source: { ...PICTURE.source, headers: { a: 'b' } } },
    FIELD,
  ],
  ['the context of a document', { type: 'document', context: 'c', source: PICTURE.source }, FIELD],
])('losses of %s, also in a result', (_, block, losses) => {
  expect(partsOf(block).losses).toEqual(losses)
  const result = { type: 'tool_result', tool_use_id: 't', content: [block] }
  expect(partsOf(result).losses).toEqual(losses)
})

test('the caller of a call is lost if it is a program of the vendor; a call by the model loses nothing', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
  const program = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' }
  expect(partsOf({ ...call, caller: program }).losses).toEqual(FIELD)
  for (const caller of [undefined, null, { type: 'direct' }]) {
    expect(partsOf({ ...call, caller }).losses).toEqual([])
  }
})

test('seals of the gateway are opened; foreign ones are dropped and declared lost', () => {
  const sealed = partsOf(
    { type: 'thinking', thinking: 'Hm.', signature: 'gw1.vendorC.abc.def' },
    { type: 'redacted_thinking', data: 'gw1.vendorC.xyz' },
    { type: 'thinking', thinking: 'Unproved.', signature: '' },
    { type: 'thinking', thinking: 'Unproved.', signature: UNSEALED },
  )
  expect(sealed.parts).toEqual([
    {
      kind: 'reasoning',
      text: 'Hm.',
      seal: { provider: 'vendorC', proof: 'abc.def' },
      hidden: false,
    },
    { kind: 'reasoning', text: '', seal: { provider: 'vendorC', proof: 'xyz' }, hidden: true },
    { kind: 'reasoning', text: 'Unproved.', seal: undefined, hidden: false },
    { kind: 'reasoning', text: 'Unproved.', seal: undefined, hidden: false },
  ])
  expect(sealed.losses).toEqual([])
  const foreign = partsOf({ type: 'thinking', thinking: 'Hm.', signature: 'EqQB' })
  expect(foreign.parts).toMatchObject([{ text: 'Hm.', seal: undefined }])
  expect(foreign.losses).toEqual(['foreign_seal'])
})

test('an unknown block is kept unchanged', () => {
  const blocks = [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'image', source: { type: 'of_tomorrow', place: 'f' } },
    { type: 'constructor' },
  ]
  expect(partsOf(...blocks).parts).toEqual(blocks.map((raw) => ({ kind: 'opaque', origin: 'messages', raw })))
})

const EMPTY =
  'must not be empty, and must have a text, a file, a call or a tool result that this model takes.'

test.each([
  ['an empty string', { role: 'user', content: '' }],
  ['no blocks', { role: 'user', content: [] }],
  ['an empty text', { role: 'user', content: [{ type: 'text', text: '' }] }],
  ['only an unknown block', { role: 'user', content: [{ type: 'of_tomorrow' }] }],
  ['an empty system turn', { role: 'system', content: '' }],
  ['an empty turn of the assistant', { role: 'assistant', content: [] }],
])('a turn without remaining content is refused: %s', (_, turn) => {
  const messages = [{ role: 'user', content: 'Hi' }, turn, { role: 'user', content: 'And?' }]
  expect(apiErrorOf(() => read({ messages }))).toMatchObject({
    code: 'invalid_parameter',
    param: 'messages.1.content',
    message: `messages.1.content ${EMPTY}`,
  })
})

test('an assistant turn may have only thinking, and may come first', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: '' }
  const messages = [
    { role: 'assistant', content: [thinking] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
    { role: 'assistant', content: '' },
  ]
  expect(read({ messages }).turns).toHaveLength(3)
})

const PNG = { type: 'base64', media_type: 'image/png' }

test.each([
  ['a stored image', { type: 'image', source: { type: 'file', file_id: 'f' } }, 'source.type', 'vendor'],
  [
    'a stored document',
    { type: 'document', source: { type: 'file', file_id: 'f' } },
    'source.type',
    'vendor',
  ],
  [
    'a data: URL',
    { type: 'image', source: { ...PNG, data: 'data:image/png;base64,AAAA' } },
    'source.data',
    'alone',
  ],
  [
    'a text that is not base64',
    { type: 'image', source: { ...PNG, data: 'not base64 at all' } },
    'source.data',
    'base64',
  ],
  [
    'base64 of an incomplete byte',
    { type: 'image', source: { ...PNG, data: 'AAAAA' } },
    'source.data',
    'cut off',
  ],
])('%s is refused, also in a result', (_, block, at, word) => {
  const said = [{ type: 'text', text: 'See:' }, block]
  expect(apiErrorOf(() => partsOf(...said))).toMatchObject({
    code: 'invalid_parameter',
    param: `messages.0.content.1.${at}`,
    message: expect.stringContaining(word),
  })
  const result = { type: 'tool_result', tool_use_id: 't', content: [block] }
  expect(apiErrorOf(() => partsOf(result))).toMatchObject({ param: `messages.0.content.0.content.0.${at}` })
})
