import { describe, expect, test } from 'vitest'
import { read, refused } from '../../../../test/fixtures/text/responses/request-parts.ts'

describe('tools', () => {
  const look = {
    type: 'function',
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object' },
    strict: true,
  }
  const lookTool = {
    name: 'look',
    namespace: undefined,
    description: 'Looks.',
    input: { kind: 'json', schema: { type: 'object' }, strict: true },
  }

  test('functions, custom tools, namespaces and tools that items bring', () => {
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
    const tools = [
      look,
      { type: 'custom', name: 'patch', format: grammar },
      { type: 'custom', name: 'free', format: { type: 'text' } },
      { type: 'namespace', name: 'mail', description: '', tools: [{ type: 'function', name: 'send' }] },
    ]
    const input = [
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'extra' }, look] },
      { role: 'user', content: 'Go' },
    ]
    const bare = { description: undefined, input: { kind: 'json', schema: undefined, strict: undefined } }
    expect(read({ tools, input }).tools).toEqual([
      lookTool,
      {
        name: 'patch',
        namespace: undefined,
        description: undefined,
        input: { kind: 'text', format: grammar },
      },
      {
        name: 'free',
        namespace: undefined,
        description: undefined,
        input: { kind: 'text', format: undefined },
      },
      { name: 'send', namespace: 'mail', ...bare },
      { name: 'extra', namespace: undefined, ...bare },
    ])
  })

  test('tools that only a vendor can run are lost beside others', () => {
    const tools = [
      look,
      { type: 'web_search' },
      { type: 'tool_search' },
      { ...look, name: 'later', defer_loading: true },
    ]
    const request = read({ tools, tool_choice: 'auto' })
    expect(request.tools.map(({ name }) => name)).toEqual(['look', 'later'])
    expect(request.losses).toEqual(['web_search', 'unknown_tool', 'defer_loading'])
  })

  test('the description of a namespace is lost', () => {
    const send = { type: 'function', name: 'send' }
    const tools = [{ type: 'namespace', name: 'mail', description: 'Letters.', tools: [send] }]
    expect(read({ tools }).losses).toEqual(['namespace_description'])
  })

  test.each<[object, string[]]>([
    [{ output_schema: { type: 'object' } }, ['unknown_field']],
    [{ allowed_callers: ['direct', 'programmatic'] }, ['unknown_field']],
    [{ async: true }, ['unknown_field']],
    [{ of_tomorrow: 'x' }, ['unknown_field']],
    [{ output_schema: null, allowed_callers: ['direct'], async: false, defer_loading: false }, []],
  ])('a tool with %j loses %j', (more, losses) => {
    const send = { type: 'function', name: 'send', ...more }
    const patch = { type: 'custom', name: 'patch', ...more }
    for (const tool of [send, patch, { type: 'namespace', name: 'mail', tools: [send] }]) {
      expect(read({ tools: [tool] }).losses).toEqual(losses)
    }
  })

  test('unknown members of a namespace are lost', () => {
    const send = { type: 'function', name: 'send' }
    const tools = [{ type: 'namespace', name: 'mail', of_tomorrow: 'x', tools: [send] }]
    expect(read({ tools }).losses).toEqual(['unknown_field'])
  })

  test.each([
    ['tools', { tools: [{ type: 'web_search_preview' }] }],
    ['tool_choice', { tools: [look, { type: 'web_search' }], tool_choice: { type: 'web_search' } }],
    ['tool_choice', { tools: [look], tool_choice: { type: 'mcp', server_label: 'x' } }],
    ['tool_choice', { tools: [], tool_choice: 'required' }],
    ['tool_choice.name', { tools: [look], tool_choice: { type: 'function', name: 'listen' } }],
    ['tool_choice.tools', { tools: [look], tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } }],
  ])('refuses %s', (param, more) => {
    expect(refused(more)).toMatchObject({ code: 'invalid_parameter', param })
  })

  test('choices', () => {
    const send = { type: 'namespace', name: 'mail', tools: [{ type: 'function', name: 'send' }] }
    const choiceOf = (choice: unknown) => read({ tools: [look, send], tool_choice: choice }).toolChoice
    expect(choiceOf(undefined)).toBeUndefined()
    expect(choiceOf('auto')).toEqual({ kind: 'auto' })
    expect(choiceOf('none')).toEqual({ kind: 'none' })
    expect(choiceOf('required')).toEqual({ kind: 'required' })
    expect(choiceOf({ type: 'function', name: 'look' })).toEqual({
      kind: 'tool',
      name: 'look',
      namespace: undefined,
    })
    expect(choiceOf({ type: 'function', name: 'send' })).toEqual({
      kind: 'tool',
      name: 'send',
      namespace: 'mail',
    })
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'look' }] }
    expect(read({ tools: [look, send], tool_choice: allowed })).toMatchObject({
      tools: [lookTool],
      toolChoice: { kind: 'required' },
    })
  })

  test('without tools there is nothing to choose', () => {
    expect(read({ tools: [], tool_choice: 'auto', parallel_tool_calls: true })).toMatchObject({
      tools: [],
      toolChoice: undefined,
      parallelToolCalls: undefined,
    })
    expect(read({ tools: [look], parallel_tool_calls: false }).parallelToolCalls).toBe(false)
  })
})
