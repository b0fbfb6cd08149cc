import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../../test/api-error-of.ts'
import { PUBLIC_ONLY } from '../../../../../test/fixtures/text/public-urls-only.ts'
import { checkResponsesRequest } from './check-request.ts'

const SOUND = { model: 'vendorC/model-4.1', input: 'Hi' }
const item = (value: unknown) => ({ ...SOUND, input: [{ role: 'user', content: 'Hi' }, value] })
const part = (value: unknown) => item({ role: 'user', content: [{ type: 'input_text', text: 'Hi' }, value] })
const tool = (value: unknown) => ({ ...SOUND, tools: [{ type: 'function', name: 'go' }, value] })
const format = (value: unknown) => ({ ...SOUND, text: { format: value } })

const refused = (body: unknown) => apiErrorOf(() => checkResponsesRequest(body, 'create', PUBLIC_ONLY))

describe('missing', () => {
  const CASES: [string, unknown][] = [
    ['model', {}],
    ['model', { ...SOUND, model: null, input: 3 }],
    ['input', { model: 'nonsense' }],
    ['input.1.role', item({ type: 'message', content: 'Hi' })],
    ['input.1.content', item({ role: 'user' })],
    ['input.1.type', item({})],
    ['input.1.call_id', item({ type: 'function_call', name: 'go', arguments: '{}' })],
    ['input.1.name', item({ type: 'function_call', call_id: 'c', arguments: '{}' })],
    ['input.1.arguments', item({ type: 'function_call', call_id: 'c', name: 'go' })],
    ['input.1.input', item({ type: 'custom_tool_call', call_id: 'c', name: 'go' })],
    ['input.1.call_id', item({ type: 'function_call_output', output: '' })],
    ['input.1.output', item({ type: 'custom_tool_call_output', call_id: 'c' })],
    ['input.1.id', item({ type: 'item_reference' })],
    ['input.1.tools', item({ type: 'additional_tools' })],
    ['input.1.content.1.type', part({})],
    ['input.1.content.1.text', part({ type: 'input_text' })],
    ['input.1.content.1.image_url', part({ type: 'input_image' })],
    ['input.1.content.1.file_data', part({ type: 'input_file', filename: 'a.pdf' })],
    ['input.1.content.1.refusal', part({ type: 'refusal' })],
    ['tools.1.type', tool({ name: 'go' })],
    ['tools.1.name', tool({ type: 'function', function: { name: 'go' } })],
    ['tools.1.name', tool({ type: 'custom' })],
    ['tools.1.tools', tool({ type: 'namespace', name: 'n' })],
    ['tools.1.tools.0.name', tool({ type: 'namespace', name: 'n', tools: [{ type: 'function' }] })],
    ['tool_choice.type', { ...SOUND, tool_choice: {} }],
    ['tool_choice.name', { ...SOUND, tool_choice: { type: 'function' } }],
    ['text.format.type', format({})],
    ['text.format.name', format({ type: 'json_schema', schema: {} })],
    ['text.format.schema', format({ type: 'json_schema', name: 'a' })],
  ]

  test.each(CASES)('%s', (param, body) => {
    expect(refused(body)).toMatchObject({
      code: 'missing_parameter',
      param,
      message: `${param} is required.`,
    })
  })
})

describe('wrong', () => {
  const CASES: [string, unknown][] = [
    ['model', { ...SOUND, model: 4 }],
    ['model', { ...SOUND, model: `vendorC/${'m'.repeat(249)}` }],
    ['model', { ...SOUND, model: 'vendorC/a model' }],
    ['input.1.content.1.image_url', part({ type: 'input_image', image_url: 'http://x.example/a.png' })],
    [
      'input.1.content.1.image_url',
      part({ type: 'input_image', image_url: 'file:///etc/passwd', detail: 'low' }),
    ],
    ['input.1.content.1.file_url', part({ type: 'input_file', file_url: 'http://x.example/a.pdf' })],
    [
      'input.1.output.0.image_url',
      item({
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_image', image_url: 'ftp://x.example/a.png' }],
      }),
    ],
    ['model', { ...SOUND, model: '' }],
    ['input', { ...SOUND, input: {} }],
    ['input.1', item('Hi')],
    ['input.1', item(null)],
    ['input.1.type', item({ type: 7 })],
    ['input.1.role', item({ role: 'tool', content: 'Hi' })],
    ['input.1.content', item({ role: 'user', content: 7 })],
    ['input.1.content.1', part('Hi')],
    ['input.1.content.1.text', part({ type: 'input_text', text: 7 })],
    ['input.1.content.1.image_url', part({ type: 'input_image', image_url: { url: 'https://a' } })],
    ['input.1.content.1.detail', part({ type: 'input_image', image_url: 'https://a', detail: 1 })],
    ['input.1.call_id', item({ type: 'function_call', call_id: '', name: 'go', arguments: '{}' })],
    ['input.1.arguments', item({ type: 'function_call', call_id: 'c', name: 'go', arguments: {} })],
    ['input.1.output', item({ type: 'function_call_output', call_id: 'c', output: { a: 1 } })],
    [
      'input.1.output.0.text',
      item({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 1 }] }),
    ],
    ['input.1.summary', item({ type: 'reasoning', summary: 'no' })],
    ['input.1.encrypted_content', item({ type: 'reasoning', summary: [], encrypted_content: 1 })],
    ['input.1.tools.0.name', item({ type: 'additional_tools', tools: [{ type: 'function', name: '' }] })],
    ['instructions', { ...SOUND, instructions: [] }],
    ['stream', { ...SOUND, stream: 'true' }],
    ['max_output_tokens', { ...SOUND, max_output_tokens: 0 }],
    ['max_output_tokens', { ...SOUND, max_output_tokens: 1.5 }],
    ['max_output_tokens', { ...SOUND, max_output_tokens: '10' }],
    ['temperature', { ...SOUND, temperature: 2.1 }],
    ['temperature', { ...SOUND, temperature: -0.1 }],
    ['temperature', { ...SOUND, temperature: '1' }],
    ['top_p', { ...SOUND, top_p: 1.1 }],
    ['tools', { ...SOUND, tools: {} }],
    ['tools.1', tool('go')],
    ['tools.1.parameters', tool({ type: 'function', name: 'go', parameters: [] })],
    ['tools.1.description', tool({ type: 'function', name: 'go', description: 1 })],
    ['tools.1.strict', tool({ type: 'function', name: 'go', strict: 'yes' })],
    ['tools.1.format', tool({ type: 'custom', name: 'go', format: 'text' })],
    ['tool_choice', { ...SOUND, tool_choice: 'any' }],
    ['tool_choice', { ...SOUND, tool_choice: 1 }],
    ['parallel_tool_calls', { ...SOUND, parallel_tool_calls: 1 }],
    ['text', { ...SOUND, text: 'json' }],
    ['text.verbosity', { ...SOUND, text: { verbosity: 1 } }],
    ['text.format', format('json')],
    ['text.format.schema', format({ type: 'json_schema', name: 'a', schema: 'x' })],
    ['text.format.strict', format({ type: 'json_schema', name: 'a', schema: {}, strict: 1 })],
    ['reasoning', { ...SOUND, reasoning: 'high' }],
    ['reasoning.effort', { ...SOUND, reasoning: { effort: 3 } }],
    ['reasoning.summary', { ...SOUND, reasoning: { summary: true } }],
    ['include', { ...SOUND, include: 'all' }],
    ['include.1', { ...SOUND, include: ['a', 1] }],
    ['metadata', { ...SOUND, metadata: [] }],
    ['store', { ...SOUND, store: 'no' }],
  ]

  test.each(CASES)('%s', (param, body) => {
    const apiError = refused(body)
    expect(apiError).toMatchObject({ code: 'invalid_parameter', param })
    expect(apiError.message).toMatch(new RegExp(`^${param.replaceAll('.', '\\.')} must .*\\.$`))
  })

  test.each([[null], [[]], ['text'], [3]])('a body that is not an object: %j', (body) => {
    expect(refused(body)).toMatchObject({ code: 'invalid_parameter', param: null })
  })
})

describe('is refused with an alternative', () => {
  test.each([
    ['conversation', { id: 'conv_1' }, 'send the whole conversation in input'],
    ['truncation', 'auto', 'shorten input yourself'],
  ])('%s', (param, value, advice) => {
    const apiError = refused({ ...SOUND, [param]: value })
    expect(apiError).toMatchObject({ code: 'invalid_parameter', param })
    expect(apiError.message).toContain(advice)
    for (const nothing of [null, false, 'disabled']) {
      expect(() => checkResponsesRequest({ ...SOUND, [param]: nothing }, 'create', PUBLIC_ONLY)).not.toThrow()
    }
  })
})

test.each([
  [
    'null for what is left out',
    {
      ...SOUND,
      instructions: null,
      stream: null,
      tools: null,
      tool_choice: null,
      text: null,
      reasoning: null,
      include: null,
      metadata: null,
      temperature: null,
      max_output_tokens: null,
    },
  ],
  ['new kinds of items', item({ type: 'program', code: '1' })],
  ['new kinds of parts', part({ type: 'input_audio', input_audio: {} })],
  [
    'media by https, inline or stored',
    item({
      role: 'user',
      content: [
        { type: 'input_image', image_url: 'HTTPS://x.example/a.png' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        { type: 'input_file', file_url: 'https://x.example/a.pdf' },
        { type: 'input_image', file_id: 'f', image_url: null },
      ],
    }),
  ],
  ['new kinds of tools', tool({ type: 'code_interpreter', container: {} })],
  ['new kinds of choices', { ...SOUND, tool_choice: { type: 'mcp', server_label: 'x' } }],
  ['new efforts', { ...SOUND, reasoning: { effort: 'colossal', summary: 'rhymed' } }],
  ['new formats', format({ type: 'grammar', definition: '' })],
  ['new fields', { ...SOUND, moderation: { model: 'x' }, client_metadata: {} }],
  [
    'a message without a type, a reference without a type',
    { ...SOUND, input: [{ role: 'developer', content: [] }, { id: 'msg_1' }] },
  ],
  [
    'reasoning that was never shown',
    item({ type: 'reasoning', id: 'rs', summary: [], content: null, encrypted_content: null }),
  ],
  [
    'output in parts',
    item({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', file_id: 'f' }] }),
  ],
])('lets pass %s', (_name, body) => {
  expect(() => checkResponsesRequest(body, 'create', PUBLIC_ONLY)).not.toThrow()
})
