import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFullRun } from '../../random/full-run.ts'
import { fc, runs } from '../../random/properties.ts'
import {
  CHAT_MODEL,
  MESSAGES_MODEL,
  message,
  RESPONSES_MODEL,
  response,
  type TextClient,
  textClientOf,
} from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

/** More arguments than a call takes: a list of this length that is spread into a call overflows the stack. */
const MANY = 130_000

const ROWS = {
  [MESSAGES_MODEL]: { endpoints: ['messages' as const, 'responses' as const] },
  [RESPONSES_MODEL]: { endpoints: ['messages' as const, 'responses' as const] },
  [CHAT_MODEL]: { endpoints: ['messages' as const, 'responses' as const] },
}
/** Member names of all dialects, which are sent to each dialect. */
const KNOWN_NAMES = [
  ...[
    'type',
    'role',
    'content',
    'id',
    'name',
    'input',
    'output',
    'text',
    'tools',
    'tool_choice',
    'reasoning',
  ],
  ...[
    'thinking',
    'metadata',
    'system',
    'instructions',
    'include',
    'store',
    'user',
    'service_tier',
    'call_id',
  ],
  ...['max_tokens', 'max_output_tokens', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'output_config'],
  ...['cache_control', 'citations', 'annotations', 'summary', 'encrypted_content', 'signature', 'source'],
  ...[
    'file_id',
    'image_url',
    'arguments',
    'namespace',
    'prompt',
    'container',
    'thread',
    'context_management',
  ],
  ...['stream_options', 'prompt_cache_key', 'safety_identifier', 'top_logprobs', 'parallel_tool_calls'],
]
const MODELS = [MESSAGES_MODEL, RESPONSES_MODEL, CHAT_MODEL]

describe('a body that no client of ours sends', () => {
  let api: TextApi
  let client: TextClient
  beforeAll(async () => {
    api = await startTextApi({ rows: ROWS })
    client = textClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each(MODELS)("is judged by its own endpoint's bound of the output: %s", async (model) => {
    for (const bound of [-5, 0, 1e300, 'many', null]) {
      const answer = await client.responses(response('hello', { model, max_tokens: bound }))
      expect(answer.status, answer.text).toBeLessThan(500)
      const other = await client.messages(message('hello', { model, max_output_tokens: bound }))
      expect(other.status, other.text).toBeLessThan(500)
    }
  })

  const said = { role: 'assistant', content: 'a' }
  const LONG_INPUTS: Record<string, unknown[]> = {
    'turns of the user': many({ role: 'user', content: 'a' }),
    'words of the assistant': [...many(said), { role: 'user', content: 'a' }],
    'parts of one message': [{ role: 'user', content: many({ type: 'input_text', text: 'a' }) }],
    'parts of one answer': [
      { role: 'assistant', content: many({ type: 'output_text', text: 'a' }) },
      { role: 'user', content: 'a' },
    ],
    'thoughts in one item': [
      { type: 'reasoning', summary: many({ type: 'summary_text', text: 'a' }) },
      { role: 'user', content: 'a' },
    ],
    'images in one result': [
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: many({ type: 'input_image', image_url: 'https://example.com/a.png' }),
      },
    ],
    'tools inside the conversation': [
      { type: 'additional_tools', tools: many({ type: 'function', name: 'a', parameters: {} }) },
      { role: 'user', content: 'a' },
    ],
  }

  test.each(withModels(Object.keys(LONG_INPUTS)))(
    'may be long on responses: $name for $model',
    async ({ model, name }) => {
      const answer = await client.responses(response(LONG_INPUTS[name], { model }))
      expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500)
    },
  )

  const LONG_MESSAGES: Record<string, object> = {
    turns: { messages: many({ role: 'user', content: 'a' }) },
    'blocks of one turn': { messages: [{ role: 'user', content: many({ type: 'text', text: 'a' }) }] },
    'blocks of an answer': {
      messages: [
        { role: 'assistant', content: many({ type: 'text', text: 'a' }) },
        { role: 'user', content: 'a' },
      ],
    },
    'blocks of one result': {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: many({ type: 'text', text: 'a' }) },
          ],
        },
      ],
    },
    summaries: {
      messages: [
        { role: 'assistant', content: many({ type: 'compaction', content: 'a' }) },
        { role: 'user', content: 'a' },
      ],
    },
    'system blocks': { system: many({ type: 'text', text: 'a' }) },
    'stop sequences': { stop_sequences: many('stop here') },
  }

  test.each(withModels(Object.keys(LONG_MESSAGES)))(
    'may be long on messages: $name for $model',
    async ({ model, name }) => {
      const answer = await client.messages(message('a', { model, ...LONG_MESSAGES[name] }))
      expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500)
    },
  )

  const anything = fc.jsonValue({ maxDepth: 3 })
  const names = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(...KNOWN_NAMES),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'length', 'then', 'toJSON'),
  )
  const members = fc.dictionary(names, anything, { maxKeys: 4 })

  test.each(MODELS)('has members that only newer clients know: %s', async (model) => {
    await fc.assert(
      fc.asyncProperty(members, members, members, fc.boolean(), async (top, inItem, inPart, stream) => {
        const part = { type: 'input_text', text: 'hello', ...inPart }
        const item = { type: 'message', role: 'user', content: [part], ...inItem }
        const asked = await client.responses(response([item], { ...top, model, stream }))
        expect(asked.status, asked.text).toBeLessThan(500)
        const block = { type: 'text', text: 'hello', ...inPart }
        const turn = { role: 'user', content: [block], ...inItem }
        const body = message('', { ...top, model, stream, messages: [turn], max_tokens: 64 })
        const other = await client.messages(body)
        expect(other.status, other.text).toBeLessThan(500)
      }),
      runs(60),
    )
  })
})

/** Pairs each name with every model, or with one model in a run that samples. */
function withModels(names: readonly string[]): { model: string | undefined; name: string }[] {
  return names.flatMap((name, index) => {
    const models = isFullRun() ? MODELS : [MODELS[index % MODELS.length]]
    return models.map((model) => ({ model, name }))
  })
}

function many<Value>(value: Value): Value[] {
  return Array.from({ length: MANY }, () => value)
}
