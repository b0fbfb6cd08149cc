import { describe, expect, test } from 'vitest'
import { PUBLIC_ONLY } from '../../../../../test/fixtures/text/public-urls-only.ts'
import { RequestError } from '../../request-error.ts'
import { checkCountTokensRequest, checkMessagesRequest } from './check-request.ts'

const GOOD = { model: 'vendorD/text-large', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }

function apiErrorOf(body: unknown, check = checkMessagesRequest): [string, string | null] | undefined {
  try {
    check(body, PUBLIC_ONLY)
    return undefined
  } catch (error) {
    if (error instanceof RequestError) return [error.code, error.param]
    throw error
  }
}

const saying = (...content: unknown[]) => ({ ...GOOD, messages: [{ role: 'user', content }] })
const MISSING = 'missing_parameter'
const INVALID = 'invalid_parameter'

/** Base64 that decodes to exactly this number of bytes. */
function imageOf(bytes: number) {
  const padding = (3 - (bytes % 3)) % 3
  const data = 'A'.repeat(Math.ceil(bytes / 3) * 4 - padding) + '='.repeat(padding)
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
}

const MB = 1024 * 1024

describe('refused', () => {
  test.each<[unknown, string, string | null]>([
    [undefined, INVALID, null],
    [[], INVALID, null],
    ['{}', INVALID, null],
    [{}, MISSING, 'model'],
    [{ model: 7 }, MISSING, 'messages'],
    [{ model: null, messages: 7, max_tokens: 'x' }, MISSING, 'model'],
    [{ ...GOOD, max_tokens: undefined, model: 'x' }, MISSING, 'max_tokens'],
    [{ ...GOOD, model: 7 }, INVALID, 'model'],
    [{ ...GOOD, model: '' }, INVALID, 'model'],
    [{ ...GOOD, model: 'text large' }, INVALID, 'model'],
    [{ ...GOOD, model: 'vendor D/x' }, INVALID, 'model'],
    [{ ...GOOD, model: `vendorD/${'x'.repeat(300)}` }, INVALID, 'model'],
    [{ ...GOOD, messages: 'Hi' }, INVALID, 'messages'],
    [{ ...GOOD, messages: [] }, INVALID, 'messages'],
    [{ ...GOOD, messages: ['Hi'] }, INVALID, 'messages.0'],
    [{ ...GOOD, messages: [GOOD.messages[0], { content: 'x' }] }, MISSING, 'messages.1.role'],
    [{ ...GOOD, messages: [{ role: 'user' }] }, MISSING, 'messages.0.content'],
    [{ ...GOOD, messages: [{ role: 'tool', content: 'x' }] }, INVALID, 'messages.0.role'],
    [{ ...GOOD, messages: [{ role: 'user', content: 7 }] }, INVALID, 'messages.0.content'],
    [{ ...GOOD, max_tokens: 0 }, INVALID, 'max_tokens'],
    [{ ...GOOD, max_tokens: 1.5 }, INVALID, 'max_tokens'],
    [{ ...GOOD, max_tokens: '16' }, INVALID, 'max_tokens'],
    [{ ...GOOD, system: 7 }, INVALID, 'system'],
    [{ ...GOOD, system: ['x'] }, INVALID, 'system.0'],
    [{ ...GOOD, system: [{ type: 'text' }] }, MISSING, 'system.0.text'],
    [{ ...GOOD, system: [{ type: 'text', text: 7 }] }, INVALID, 'system.0.text'],
    [{ ...GOOD, system: [{ type: 'image', text: 'x' }] }, INVALID, 'system.0.type'],
    [{ ...GOOD, temperature: 1.01 }, INVALID, 'temperature'],
    [{ ...GOOD, temperature: -0.1 }, INVALID, 'temperature'],
    [{ ...GOOD, temperature: '1' }, INVALID, 'temperature'],
    [{ ...GOOD, top_p: 2 }, INVALID, 'top_p'],
    [{ ...GOOD, top_k: 1.5 }, INVALID, 'top_k'],
    [{ ...GOOD, stream: 'true' }, INVALID, 'stream'],
    [{ ...GOOD, stop_sequences: 'x' }, INVALID, 'stop_sequences'],
    [{ ...GOOD, stop_sequences: ['x', 7] }, INVALID, 'stop_sequences.1'],
    [{ ...GOOD, tools: {} }, INVALID, 'tools'],
    [{ ...GOOD, tools: [7] }, INVALID, 'tools.0'],
    [{ ...GOOD, tools: [{ input_schema: {} }] }, MISSING, 'tools.0.name'],
    [{ ...GOOD, tools: [{ name: 'x' }] }, MISSING, 'tools.0.input_schema'],
    [{ ...GOOD, tools: [{ name: 7, input_schema: {} }] }, INVALID, 'tools.0.name'],
    [{ ...GOOD, tools: [{ name: '', input_schema: {} }] }, INVALID, 'tools.0.name'],
    [{ ...GOOD, tools: [{ name: 'x', input_schema: [] }] }, INVALID, 'tools.0.input_schema'],
    [{ ...GOOD, tools: [{ name: 'x', description: 7, input_schema: {} }] }, INVALID, 'tools.0.description'],
    [{ ...GOOD, tools: [{ type: 7 }] }, INVALID, 'tools.0.type'],
    [{ ...GOOD, tool_choice: 'auto' }, INVALID, 'tool_choice'],
    [{ ...GOOD, tool_choice: {} }, MISSING, 'tool_choice.type'],
    [{ ...GOOD, tool_choice: { type: 'required' } }, INVALID, 'tool_choice.type'],
    [{ ...GOOD, tool_choice: { type: 'tool' } }, MISSING, 'tool_choice.name'],
    [{ ...GOOD, tool_choice: { type: 'tool', name: 7 } }, INVALID, 'tool_choice.name'],
    [{ ...GOOD, thinking: true }, INVALID, 'thinking'],
    [{ ...GOOD, thinking: {} }, MISSING, 'thinking.type'],
    [{ ...GOOD, thinking: { type: 'enabled' } }, MISSING, 'thinking.budget_tokens'],
    [{ ...GOOD, thinking: { type: 'enabled', budget_tokens: 0 } }, INVALID, 'thinking.budget_tokens'],
    [{ ...GOOD, output_config: 'json' }, INVALID, 'output_config'],
    [{ ...GOOD, output_config: { effort: 7 } }, INVALID, 'output_config.effort'],
    [{ ...GOOD, output_config: { format: 'json' } }, INVALID, 'output_config.format'],
    [{ ...GOOD, output_config: { format: { type: 'json_schema' } } }, MISSING, 'output_config.format.schema'],
    [
      { ...GOOD, output_config: { format: { type: 'xml', schema: {} } } },
      INVALID,
      'output_config.format.type',
    ],
    [
      { ...GOOD, output_config: { format: { type: 'json_schema', schema: 'x' } } },
      INVALID,
      'output_config.format.schema',
    ],
    [{ ...GOOD, output_format: 'json' }, INVALID, 'output_format'],
    [{ ...GOOD, output_format: { type: 'json_schema' } }, MISSING, 'output_format.schema'],
    [{ ...GOOD, output_format: { type: 'xml', schema: {} } }, INVALID, 'output_format.type'],
    [{ ...GOOD, output_format: { type: 'json_schema', schema: 'x' } }, INVALID, 'output_format.schema'],
    [{ ...GOOD, metadata: 'me' }, INVALID, 'metadata'],
    [{ ...GOOD, metadata: { user_id: 7 } }, INVALID, 'metadata.user_id'],
    [{ ...GOOD, service_tier: 7 }, INVALID, 'service_tier'],
    [{ ...GOOD, inference_geo: {} }, INVALID, 'inference_geo'],
  ])('%j', (body, code, param) => {
    expect(apiErrorOf(body)).toEqual([code, param])
  })

  test.each<[object, string, string]>([
    [{}, MISSING, 'type'],
    [{ type: 7 }, INVALID, 'type'],
    [{ type: 'text' }, MISSING, 'text'],
    [{ type: 'text', text: 7 }, INVALID, 'text'],
    [{ type: 'image' }, MISSING, 'source'],
    [{ type: 'image', source: 'https://x.example/a.png' }, INVALID, 'source'],
    [{ type: 'image', source: {} }, MISSING, 'source.type'],
    [{ type: 'image', source: { type: 'url' } }, MISSING, 'source.url'],
    [{ type: 'image', source: { type: 'url', url: 'http://x.example/a.png' } }, INVALID, 'source.url'],
    [{ type: 'image', source: { type: 'url', url: 'https:///a.png' } }, INVALID, 'source.url'],
    [{ type: 'image', source: { type: 'base64', data: 'AAAA' } }, MISSING, 'source.media_type'],
    [{ type: 'image', source: { type: 'base64', media_type: 'image/png' } }, MISSING, 'source.data'],
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } },
      INVALID,
      'source.data',
    ],
    [
      { type: 'image', source: { type: 'base64', media_type: 'text/html', data: 'AAAA' } },
      INVALID,
      'source.media_type',
    ],
    [
      { type: 'document', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      INVALID,
      'source.media_type',
    ],
    [{ type: 'document' }, MISSING, 'source'],
    [{ type: 'document', source: { type: 'text' } }, MISSING, 'source.data'],
    [{ type: 'document', source: { type: 'url', url: 'http://x.example/a.pdf' } }, INVALID, 'source.url'],
    [
      { type: 'document', source: { type: 'content', content: [{ type: 'text' }] } },
      MISSING,
      'source.content.0.text',
    ],
    [{ type: 'tool_use', id: 7, input: {} }, MISSING, 'name'],
    [{ type: 'tool_use', id: 7, name: 'x', input: {} }, INVALID, 'id'],
    [{ type: 'tool_use', id: 'x', name: 'x', input: [] }, INVALID, 'input'],
    [{ type: 'tool_result' }, MISSING, 'tool_use_id'],
    [{ type: 'tool_result', tool_use_id: 'x', content: 7 }, INVALID, 'content'],
    [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text' }] }, MISSING, 'content.0.text'],
    [{ type: 'tool_result', tool_use_id: 'x', is_error: 'yes' }, INVALID, 'is_error'],
    [{ type: 'thinking' }, MISSING, 'thinking'],
    [{ type: 'redacted_thinking', data: 7 }, INVALID, 'data'],
  ])('block %j', (block, code, param) => {
    const body = saying({ type: 'text', text: 'x' }, block)
    expect(apiErrorOf(body)).toEqual([code, `messages.0.content.1.${param}`])
  })

  test('images of more than 5 MB, also in the result of a tool', () => {
    const large = imageOf(5 * MB + 1)
    expect(apiErrorOf(saying(large))).toEqual([INVALID, 'messages.0.content.0.source.data'])
    const result = { type: 'tool_result', tool_use_id: 'x', content: [large] }
    expect(apiErrorOf(saying(result))).toEqual([INVALID, 'messages.0.content.0.content.0.source.data'])
  })

  test('more than 12 MB of images in all', () => {
    const image = imageOf(4 * MB)
    expect(apiErrorOf(saying(image, image, image))).toBeUndefined()
    expect(apiErrorOf(saying(image, image, image, imageOf(1)))).toEqual([INVALID, 'messages'])
  })
})

describe('accepted', () => {
  test.each<[string, object]>([
    ['the least', {}],
    [
      'null for what is left out',
      { system: null, tools: null, stream: null, thinking: null, metadata: null },
    ],
    ['an alias', { model: 'text-large' }],
    ['a model with more slashes', { model: 'vendorD/family/text-large' }],
    ['the ends of the ranges', { temperature: 0, top_p: 1, top_k: 0, max_tokens: 64_000 }],
    ['system as blocks', { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] }],
    ['system turns', { messages: [...GOOD.messages, { role: 'system', content: 'Be brief.' }] }],
    ['tools without a type', { tools: [{ name: 'x', input_schema: {}, defer_loading: true }] }],
    ['tools of the vendor', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }] }],
    ['adaptive thinking', { thinking: { type: 'adaptive', display: 'omitted' } }],
    ['effort alone', { output_config: { effort: 'whatever-comes' } }],
    ['a format without a name', { output_config: { format: { type: 'json_schema', schema: {} } } }],
    ['a format under its former name', { output_format: { type: 'json_schema', schema: {} } }],
    ['no format under its former name', { output_format: null }],
    ['fields of tomorrow', { context_management: { edits: [] }, speed: 'fast', x: [{}] }],
  ])('%s', (_name, more) => {
    expect(apiErrorOf({ ...GOOD, ...more })).toBeUndefined()
  })

  test('blocks of every kind', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }
    const body = saying(
      { type: 'text', text: '', cache_control: { type: 'ephemeral' } },
      { type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } },
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      imageOf(5 * MB),
      { type: 'document', source: pdf },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } },
      { type: 'tool_use', id: 'toolu_1', name: 'x', input: {} },
      { type: 'tool_result', tool_use_id: 'toolu_1' },
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x', is_error: true },
      {
        type: 'tool_result',
        tool_use_id: 'x',
        content: [{ type: 'tool_reference', tool_name: 'y' }],
      },
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'of_tomorrow', content: 7 },
    )
    expect(apiErrorOf(body)).toBeUndefined()
  })
})

test('a count needs no bound, and refuses an invalid one', () => {
  const { max_tokens, ...rest } = GOOD
  expect(apiErrorOf(rest, checkCountTokensRequest)).toBeUndefined()
  expect(apiErrorOf({ ...rest, max_tokens }, checkCountTokensRequest)).toBeUndefined()
  expect(apiErrorOf({ ...rest, max_tokens: 0 }, checkCountTokensRequest)).toEqual([INVALID, 'max_tokens'])
  expect(apiErrorOf({ model: 'a/b' }, checkCountTokensRequest)).toEqual([MISSING, 'messages'])
})

test('the message says what is expected', () => {
  expect(() => checkMessagesRequest({ ...GOOD, temperature: 7 }, PUBLIC_ONLY)).toThrow(
    'temperature must be a number from 0 to 1.',
  )
  expect(() =>
    checkMessagesRequest({ ...GOOD, messages: [{ role: 'tool', content: 'x' }] }, PUBLIC_ONLY),
  ).toThrow('messages.0.role must be user, assistant or system.')
  expect(() => checkMessagesRequest({}, PUBLIC_ONLY)).toThrow('model is required.')
})
