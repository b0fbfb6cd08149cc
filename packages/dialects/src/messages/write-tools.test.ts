import { expect, test } from 'vitest'
import {
  assistant,
  call,
  HI,
  result,
  tool,
  user,
  write,
} from '../../../../test/fixtures/text/messages/request-parts.ts'
import type { TextRequest } from '../canonical/request.ts'

test('schemas get the type object, and strict is lost', () => {
  const { body, losses } = write({
    tools: [
      tool('a', { description: 'A.' }),
      tool('b', { input: { kind: 'json', schema: undefined, strict: false } }),
      tool('c', { input: { kind: 'json', schema: { properties: {} }, strict: true } }),
    ],
  })
  expect(body.tools).toEqual([
    { name: 'a', description: 'A.', input_schema: { type: 'object', properties: {} } },
    { name: 'b', input_schema: { type: 'object' } },
    { name: 'c', input_schema: { type: 'object', properties: {} }, cache_control: { type: 'ephemeral' } },
  ])
  expect(losses).toEqual(['strict'])
})

test('a custom tool takes one string, and its description has the grammar', () => {
  const format = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' }
  const { body, losses, toolNames } = write({
    tools: [tool('patch', { description: 'Edits.', input: { kind: 'text', format } })],
  })
  expect(body.tools[0]).toMatchObject({
    name: 'patch',
    description: 'Edits.\n\nThe input has to follow this lark grammar:\nstart: "x"',
    input_schema: { properties: { input: { type: 'string' } }, required: ['input'] },
  })
  expect(losses).toEqual(['tool_grammar'])
  expect([...toolNames]).toEqual([['patch', { name: 'patch', namespace: undefined, input: 'text' }]])
})

test('names are flattened, shortened and unique, and equal in tools, choice and history', () => {
  const long = 'x'.repeat(80)
  const { body, toolNames } = write({
    turns: [...HI, assistant(call('c1', 'run', '{}', 'shell'), call('c2', 'gone', '{}', 'old'))],
    tools: [
      tool('run', { namespace: 'shell' }),
      tool('shell__run'),
      tool(long),
      tool(`${long}y`),
      tool('odd.name'),
      tool('plain'),
    ],
    toolChoice: { kind: 'tool', name: 'run', namespace: 'shell' },
  })
  const names = body.tools.map(({ name }: { name: string }) => name)
  const [run, , , longer] = names
  expect(names).toEqual([
    expect.stringMatching(/^shell__run_\w+$/),
    'shell__run',
    expect.stringMatching(/^x{50,}_\w+$/),
    expect.stringMatching(/^x{50,}_\w+$/),
    expect.stringMatching(/^odd_name_\w+$/),
    'plain',
  ])
  expect(new Set(names).size).toBe(names.length)
  expect(body.tool_choice).toEqual({ type: 'tool', name: run })
  expect(body.messages[1].content).toMatchObject([{ name: run }, { name: 'old__gone' }])
  expect(toolNames.get(run)).toEqual({ name: 'run', namespace: 'shell', input: 'json' })
  expect(toolNames.get(longer)?.name).toBe(`${long}y`)
  expect(toolNames.has('plain')).toBe(false)
  expect(toolNames.has('shell__run')).toBe(false)
})

test.each<[Partial<TextRequest>, unknown]>([
  [{ toolChoice: { kind: 'auto' } }, { type: 'auto' }],
  [{ toolChoice: { kind: 'required' } }, { type: 'any' }],
  [{ toolChoice: { kind: 'none' }, parallelToolCalls: false }, { type: 'none' }],
  [{ parallelToolCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
  [{ parallelToolCalls: true }, undefined],
  [{}, undefined],
])('choice %j', (request, choice) => {
  expect(write({ tools: [tool('f')], ...request }).body.tool_choice).toEqual(choice)
})

test('without tools tool_choice is left out; earlier calls bring their tools, with tool_choice none', () => {
  expect(write({ toolChoice: { kind: 'auto' } }).body).not.toHaveProperty('tool_choice')
  const { body } = write({ turns: [...HI, assistant(call('c1')), user(result('c1'))] })
  expect(body).toMatchObject({
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    tool_choice: { type: 'none' },
  })
})
