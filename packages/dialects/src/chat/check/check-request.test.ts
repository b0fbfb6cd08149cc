import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../../test/api-error-of.ts'
import { PUBLIC_ONLY } from '../../../../../test/fixtures/text/public-urls-only.ts'
import { checkChatRequest } from './check-request.ts'

const SOUND = { model: 'vendorC/model-4.1', messages: [{ role: 'user', content: 'Hi' }] }
const message = (value: unknown) => ({ ...SOUND, messages: [{ role: 'user', content: 'Hi' }, value] })
const part = (value: unknown) => message({ role: 'user', content: [{ type: 'text', text: 'Hi' }, value] })
const call = (value: unknown) => message({ role: 'assistant', tool_calls: [value] })
const tool = (value: unknown) => ({ ...SOUND, tools: [value] })
const format = (value: unknown) => ({ ...SOUND, response_format: value })

const refused = (body: unknown) => apiErrorOf(() => checkChatRequest(body, PUBLIC_ONLY))

describe('missing', () => {
  test.each<[string, unknown]>([
    ['model', {}],
    ['messages', { model: 'nonsense' }],
    ['messages.1.role', message({ content: 'Hi' })],
    ['messages.1.content', message({ role: 'user' })],
    ['messages.1.content', message({ role: 'system', content: null })],
    ['messages.1.content', message({ role: 'tool', tool_call_id: 'c' })],
    ['messages.1.tool_call_id', message({ role: 'tool', content: 'x' })],
    ['messages.1.name', message({ role: 'function', content: 'x' })],
    ['messages.1.tool_calls.0.id', call({ type: 'function', function: { name: 'a', arguments: '' } })],
    ['messages.1.tool_calls.0.function', call({ id: 'c', type: 'function' })],
    ['messages.1.tool_calls.0.function.name', call({ id: 'c', function: { arguments: '' } })],
    ['messages.1.tool_calls.0.function.arguments', call({ id: 'c', function: { name: 'a' } })],
    ['messages.1.tool_calls.0.custom.input', call({ id: 'c', type: 'custom', custom: { name: 'a' } })],
    ['messages.1.content.1.type', part({})],
    ['messages.1.content.1.text', part({ type: 'text' })],
    ['messages.1.content.1.image_url', part({ type: 'image_url' })],
    ['messages.1.content.1.image_url.url', part({ type: 'image_url', image_url: {} })],
    ['messages.1.content.1.file', part({ type: 'file' })],
    ['messages.1.content.1.file.file_data', part({ type: 'file', file: { filename: 'a.pdf' } })],
    ['tools.0.type', tool({ function: { name: 'a' } })],
    ['tools.0.function', tool({ type: 'function', name: 'a' })],
    ['tools.0.custom.name', tool({ type: 'custom', custom: {} })],
    ['tool_choice.function', { ...SOUND, tool_choice: { type: 'function', name: 'a' } }],
    ['response_format.type', format({})],
    ['response_format.json_schema', format({ type: 'json_schema' })],
    ['response_format.json_schema.name', format({ type: 'json_schema', json_schema: { schema: {} } })],
  ])('%s', (param, body) => {
    expect(refused(body)).toMatchObject({
      code: 'missing_parameter',
      param,
      message: `${param} is required.`,
    })
  })
})

describe('wrong', () => {
  test.each<[string, unknown]>([
    ['model', { ...SOUND, model: 4 }],
    ['model', { ...SOUND, model: 'model 4.1' }],
    ['messages', { ...SOUND, messages: 'Hi' }],
    ['messages', { ...SOUND, messages: [] }],
    ['messages.0', { ...SOUND, messages: ['Hi'] }],
    ['messages.1.role', message({ role: 'robot', content: 'Hi' })],
    ['messages.1.content', message({ role: 'user', content: 5 })],
    ['messages.1.tool_call_id', message({ role: 'tool', tool_call_id: '', content: 'x' })],
    ['messages.1.tool_calls', message({ role: 'assistant', tool_calls: {} })],
    ['messages.1.tool_calls.0.function.arguments', call({ id: 'c', function: { name: 'a', arguments: {} } })],
    ['messages.1.content.1.image_url', part({ type: 'image_url', image_url: 'https://x.example/a.png' })],
    [
      'messages.1.content.1.image_url.url',
      part({ type: 'image_url', image_url: { url: 'http://x.example/a' } }),
    ],
    ['messages.1.content.1.file.file_id', part({ type: 'file', file: { file_id: 5 } })],
    ['stream', { ...SOUND, stream: 'true' }],
    ['stream_options', { ...SOUND, stream_options: true }],
    ['stream_options.include_usage', { ...SOUND, stream_options: { include_usage: 1 } }],
    ['max_completion_tokens', { ...SOUND, max_completion_tokens: 0 }],
    ['max_tokens', { ...SOUND, max_tokens: 1.5 }],
    ['temperature', { ...SOUND, temperature: 2.01 }],
    ['top_p', { ...SOUND, top_p: -1 }],
    ['n', { ...SOUND, n: 0 }],
    ['n', { ...SOUND, n: 129 }],
    ['stop', { ...SOUND, stop: 5 }],
    ['stop.1', { ...SOUND, stop: ['a', 5] }],
    ['tools', { ...SOUND, tools: {} }],
    ['tools.0.function.name', tool({ type: 'function', function: { name: '' } })],
    ['tools.0.function.parameters', tool({ type: 'function', function: { name: 'a', parameters: [] } })],
    ['tool_choice', { ...SOUND, tool_choice: 'any' }],
    ['parallel_tool_calls', { ...SOUND, parallel_tool_calls: 'no' }],
    ['response_format', format('json')],
    [
      'response_format.json_schema.schema',
      format({ type: 'json_schema', json_schema: { name: 'a', schema: 5 } }),
    ],
    ['reasoning_effort', { ...SOUND, reasoning_effort: 5 }],
    ['user', { ...SOUND, user: 5 }],
    ['metadata', { ...SOUND, metadata: 'x' }],
    ['Stream', { ...SOUND, Stream: true }],
  ])('%s', (param, body) => {
    expect(refused(body)).toMatchObject({ code: 'invalid_parameter', param })
  })

  test.each([[null], ['Hi'], [[]]])('a body of %j', (body) => {
    expect(refused(body)).toMatchObject({
      code: 'invalid_parameter',
      message: 'The body must be a JSON object.',
    })
  })
})

test.each<[string, object]>([
  [
    'null for everything that may be left out',
    { stream: null, n: null, stop: null, tools: null, user: null },
  ],
  [
    'several replies, probabilities and audio: a vendor of chat takes them',
    { n: 128, logprobs: true, audio: {} },
  ],
  ['a kind of part that is new', part({ type: 'video_url', video_url: { url: 'https://x.example' } })],
  ['a kind of tool that is new', tool({ type: 'web_search' })],
  ['an answer of calls alone', call({ id: 'c', function: { name: 'a', arguments: '{}' } })],
  ['a file by its id', part({ type: 'file', file: { file_id: 'file-1' } })],
  ['the older form of calls', message({ role: 'function', name: 'a', content: null })],
])('passes: %s', (_name, change) => {
  expect(() => checkChatRequest({ ...SOUND, ...change }, PUBLIC_ONLY)).not.toThrow()
})
