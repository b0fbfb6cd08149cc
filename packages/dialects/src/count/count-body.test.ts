import { describe, expect, test } from 'vitest'
import { countBody } from './count-body.ts'
import { countText } from './count-tokens.ts'

function countOf(value: object) {
  return countBody({ bytes: Buffer.from(JSON.stringify(value)), value })
}

const DATA = 'iVBORw0KGgo'.repeat(100_000)
const WORDS = 'The quick brown fox jumps over the lazy dog, twice a day and three times on Sundays. '

const messages = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const responses = (...content: object[]) => ({ input: [{ role: 'user', content }] })

test.each([
  ['English', WORDS.repeat(5)],
  ['Chinese', '今天下午我们在会议室讨论了新产品的发布计划。'.repeat(20)],
  ['Russian', 'Старые дома снесли, но река осталась прежней. '.repeat(20)],
])('the count of %s is never below that of its text, and not absurdly high', (_name, text) => {
  for (const times of [1, 50]) {
    const { tokens } = countOf({ messages: [{ role: 'user', content: text.repeat(times) }] })
    expect(tokens).toBeGreaterThan(countText(text.repeat(times)))
    expect(tokens).toBeLessThan(2.5 * countText(text.repeat(times)) + 50)
  }
})

test('the upper bound is one token per byte, plus 1,000', () => {
  const value = { messages: [{ role: 'user', content: '𒀀𒁺𒈗'.repeat(1_000) }] }
  const { tokensMax } = countOf(value)
  expect(tokensMax).toBe(Buffer.byteLength(JSON.stringify(value)) + 1_000)
})

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } }
const PDF = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: DATA } }

describe('media are counted by kind where the dialect allows them', () => {
  test.each([
    ['an image in the dialect messages', messages(IMAGE), 1_600],
    ['an image in the result of a tool', messages({ type: 'tool_result', content: [IMAGE] }), 1_600],
    [
      'an image in the dialect responses',
      responses({ type: 'input_image', image_url: `data:image/png;base64,${DATA}` }),
      1_600,
    ],
    [
      'an image in the output of a call',
      {
        input: [
          {
            type: 'function_call_output',
            output: [{ type: 'input_image', image_url: `data:image/png;base64,${DATA}` }],
          },
        ],
      },
      1_600,
    ],
    [
      'an image in the dialect chat',
      messages({ type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}` } }),
      1_600,
    ],
    ['a PDF in the dialect messages', messages(PDF), 34_000],
    [
      'a PDF in the dialect responses',
      responses({ type: 'input_file', file_data: `data:application/pdf;base64,${DATA}` }),
      34_000,
    ],
    [
      'a file in the dialect chat',
      messages({ type: 'file', file: { file_data: `data:application/pdf;base64,${DATA}` } }),
      34_000,
    ],
  ])('%s', (_name, value, tokens) => {
    const counted = countOf(value).tokens - tokens
    expect(counted).toBeGreaterThan(0)
    expect(counted).toBeLessThan(100)
  })
})

describe('elsewhere a string counts as text, even with the beginning of a data: URL', () => {
  const text = `data:image/png;base64,${WORDS.repeat(5_000)}`
  const source = { type: 'base64', media_type: 'image/png', data: text }
  test.each<[string, object]>([
    ['a turn', { messages: [{ role: 'user', content: text }] }],
    ['a text part', messages({ type: 'text', text })],
    ['an input', { input: text }],
    ['an input text', responses({ type: 'input_text', text, image_url: text })],
    ['instructions', { instructions: text, input: 'Hi' }],
    ['a system prompt', { system: [{ type: 'text', text, source }], messages: [] }],
    ['a schema', { tools: [{ name: 'a', input_schema: { type: 'image', source } }], messages: [] }],
    ['the input of a call', messages({ type: 'tool_use', input: { type: 'image', source } })],
    [
      'arguments',
      { input: [{ type: 'function_call', arguments: text, content: [{ type: 'image', source }] }] },
    ],
    ['metadata', { metadata: { content: [{ type: 'image', source }], image_url: text }, messages: [] }],
    ['a document of text', messages({ type: 'document', source: { type: 'text', data: text } })],
    [
      'a document of text in base64',
      messages({ type: 'document', source: { type: 'base64', media_type: 'text/plain', data: text } }),
    ],
  ])('%s', (_name, value) => {
    expect(countOf(value).tokens).toBeGreaterThanOrEqual(Math.floor(text.length / 3))
  })
})

describe('content behind an address or id may fill the window of the model', () => {
  test.each<[string, object]>([
    ['an earlier response', { input: 'Go on.', previous_response_id: 'resp_1' }],
    ['a conversation', { input: 'Go on.', conversation: 'conv_1' }],
    ['a prompt', { input: 'Go on.', prompt: { id: 'pmpt_1' } }],
    ['an item', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['a file in the dialect responses', responses({ type: 'input_file', file_id: 'file_1' })],
    ['a file at an address', responses({ type: 'input_file', file_url: 'https://a.example/b.pdf' })],
    [
      'a file in the dialect messages',
      messages({ type: 'document', source: { type: 'file', file_id: 'file_1' } }),
    ],
    [
      'a document at an address',
      messages({ type: 'document', source: { type: 'url', url: 'https://a.example' } }),
    ],
    ['a file in the dialect chat', messages({ type: 'file', file: { file_id: 'file_1' } })],
    ['a thread', { messages: [], thread: { type: 'continue', id: 'thr_1' } }],
  ])('%s', (_name, value) => {
    expect(countOf(value)).toMatchObject({ refersOutside: true, tokensMax: undefined })
  })
})

describe('there is no upper bound for', () => {
  test.each<[string, object]>([
    [
      'an image at an address',
      messages({ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }),
    ],
    [
      'an image at an address, in the dialect responses',
      responses({ type: 'input_image', image_url: 'https://a.example/b.png' }),
    ],
    ['an uploaded image', responses({ type: 'input_image', file_id: 'file_1' })],
    ['a PDF', messages(PDF)],
    ['a search of the web', { tools: [{ type: 'web_search' }], input: 'Hi' }],
    ['a hosted tool', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }], messages: [] }],
    [
      'tools that come in an item',
      { input: [{ type: 'additional_tools', tools: [{ type: 'file_search' }] }] },
    ],
    ['tools that a search finds', { input: [{ type: 'tool_search_output', tools: [{ type: 'mcp' }] }] }],
    ['MCP servers', { mcp_servers: [{ url: 'https://a.example' }], messages: [] }],
    ['a container', { container: 'cont_1', messages: [] }],
    ['a part that is new to us', messages({ type: 'hologram' })],
    ['an item that is new to us', { input: [{ type: 'hologram' }] }],
  ])('%s', (_name, value) => {
    expect(countOf(value)).toMatchObject({ refersOutside: false, tokensMax: undefined })
  })

  test.each<[string, object]>([
    [
      'functions',
      {
        tools: [
          { type: 'function', name: 'a' },
          { type: 'custom', name: 'b' },
        ],
        input: 'Hi',
      },
    ],
    [
      'tools that the client runs',
      { tools: [{ name: 'a' }, { type: 'bash_20250124', name: 'bash' }], messages: [] },
    ],
    ['text, thoughts and calls', messages({ type: 'text' }, { type: 'thinking' }, { type: 'tool_use' })],
  ])('but there is one for %s', (_name, value) => {
    expect(countOf(value).tokensMax).toBeGreaterThan(0)
  })
})
