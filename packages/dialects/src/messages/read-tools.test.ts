import { expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { RequestError } from '../request-error.ts'
import { readMessagesRequest } from './read-request.ts'

const GOOD = { model: 'vendorC/model-4.1', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }
const read = (more: object) => readMessagesRequest({ ...GOOD, ...more })

const TOOL = { name: 'f', description: 'Does f.', input_schema: { type: 'object' } }
const SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 }

test('a tool of the client, with or without its type', () => {
  const { tools } = read({ tools: [TOOL, { ...TOOL, type: 'custom', name: 'g', strict: true }] })
  expect(tools).toEqual([
    {
      name: 'f',
      namespace: undefined,
      description: 'Does f.',
      input: { kind: 'json', schema: { type: 'object' }, strict: undefined },
    },
    {
      name: 'g',
      namespace: undefined,
      description: 'Does f.',
      input: { kind: 'json', schema: { type: 'object' }, strict: true },
    },
  ])
})

test.each<[object, unknown, unknown]>([
  [{ type: 'auto' }, { kind: 'auto' }, undefined],
  [{ type: 'any', disable_parallel_tool_use: true }, { kind: 'required' }, false],
  [{ type: 'none' }, { kind: 'none' }, undefined],
  [{ type: 'auto', disable_parallel_tool_use: false }, { kind: 'auto' }, true],
  [{ type: 'tool', name: 'f' }, { kind: 'tool', name: 'f', namespace: undefined }, undefined],
])('choice %j', (choice, toolChoice, parallelToolCalls) => {
  expect(read({ tools: [TOOL], tool_choice: choice })).toMatchObject({ toolChoice })
  expect(read({ tools: [TOOL], tool_choice: choice }).parallelToolCalls).toBe(parallelToolCalls)
})

test('without tools there is nothing to choose', () => {
  expect(read({ tools: [], tool_choice: { type: 'any' } }).toolChoice).toBeUndefined()
})

test('a search of the web is dropped beside other tools', () => {
  const { tools, losses } = read({ tools: [SEARCH, TOOL] })
  expect(tools).toHaveLength(1)
  expect(losses).toEqual(['web_search'])
})

test.each([
  [{ tools: [SEARCH] }, 'tools.0'],
  [{ tools: [{ type: 'code_execution_20250825', name: 'code_execution' }, SEARCH] }, 'tools.1'],
  [{ tools: [SEARCH, TOOL], tool_choice: { type: 'tool', name: 'web_search' } }, 'tool_choice'],
  [
    {
      tools: [TOOL, { type: 'bash_20250124', name: 'bash' }],
      tool_choice: { type: 'tool', name: 'bash' },
    },
    'tool_choice',
  ],
])('refused: %j', (more, param) => {
  expect(() => read(more)).toThrow(RequestError)
  expect(() => read(more)).toThrow(expect.objectContaining({ param }))
})

test('a tool search is dropped when all tools are in the request', () => {
  const search = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }
  expect(read({ tools: [search, { ...TOOL, defer_loading: true }] }).losses).toEqual(['defer_loading'])
})

const CODE = { type: 'code_execution_20250825', name: 'code_execution' }
const MEMORY = { type: 'memory_20250818', name: 'memory' }
const ANY = { type: 'any' }
const NONE_LEFT = 'tool_choice asks for a tool, and there is none that this model can use.'

test.each<[tools: object[], choice: object]>([
  [[MEMORY], ANY],
  [[CODE, { type: 'bash_20250124', name: 'bash' }], ANY],
  [[{ type: 'tool_search_tool_regex_20251119', name: 'search' }], ANY],
  [[MEMORY], { type: 'tool', name: 'of_nobody' }],
])('a required call without a tool is refused: %j, %j', (tools, choice) => {
  expect(apiErrorOf(() => read({ tools, tool_choice: choice }))).toMatchObject({
    code: 'invalid_parameter',
    param: 'tool_choice',
    message: NONE_LEFT,
  })
})

test.each([{ type: 'auto' }, { type: 'none' }, undefined])('choice %j does without a tool', (choice) => {
  expect(read({ tools: [MEMORY], tool_choice: choice })).toMatchObject({
    tools: [],
    losses: ['unknown_tool'],
  })
})

test.each([
  [CODE, 'a model of the vendor who runs it'],
  [MEMORY, 'a tool of your own'],
  [{ type: 'bash_20250124', name: 'bash' }, 'a tool of your own'],
  [{ type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' }, 'a tool of your own'],
  [{ type: 'computer_20250124', name: 'computer' }, 'a tool of your own'],
])('the choice of %j is refused, and the error names who runs the tool', (tool, words) => {
  const { message } = apiErrorOf(() =>
    read({ tools: [TOOL, tool], tool_choice: { type: 'tool', name: tool.name } }),
  )
  expect(message).toContain(tool.name)
  expect(message).toContain(words)
})
