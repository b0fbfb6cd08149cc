import { describe, expect, test } from 'vitest'
import { write } from '../../../../test/fixtures/text/responses/request-parts.ts'
import type { Part, Tool, Turn } from '../canonical/request.ts'

const inputOf = (...turns: Turn[]) => write({ turns }).body.input
const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const partOf = (text: string) => ({ kind: 'text', text }) as const

test('a minimal request', () => {
  expect(write({})).toEqual({
    body: {
      model: 'model-o3-2026',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      stream: false,
      store: false,
    },
    losses: [],
    toolNames: new Map(),
    unsentStops: [],
  })
})

describe('turns', () => {
  test('the first system turn becomes instructions, and later ones developer messages', () => {
    const system = (...texts: string[]): Turn => ({ role: 'system', parts: texts.map(partOf) })
    const { body } = write({
      turns: [system('One', 'Two'), system('Three'), user(partOf('Hi')), system('Four')],
    })
    expect(body.instructions).toBe('One\n\nTwo\n\nThree')
    expect(body.input).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Four' }] },
    ])
    expect(inputOf({ role: 'developer', parts: [partOf('Dev')] })).toMatchObject([{ role: 'developer' }])
  })

  test('instructions are only text: other parts of the first system turn are lost', () => {
    const image: Part = { kind: 'image', source: { kind: 'url', url: 'https://a/b.png' }, detail: undefined }
    const text: Part = { kind: 'document', source: { kind: 'text', text: 'Doc' }, name: undefined }
    for (const part of [image, text]) {
      const opening: Turn = { role: 'system', parts: [part, partOf('One')] }
      const { body, losses } = write({ turns: [opening, user(partOf('Hi'))] })
      expect(body.instructions).toBe('One')
      expect(losses).toEqual(['unknown_block'])
    }
  })

  test('an assistant turn is split into items in order', () => {
    const parts: Part[] = [
      { kind: 'reasoning', text: 'Hm', seal: { provider: 'vendorC', proof: 'p' }, hidden: false },
      partOf('Well'),
      { kind: 'refusal', text: 'No' },
      {
        kind: 'tool-call',
        callId: 'a',
        name: 'look',
        namespace: undefined,
        input: { kind: 'json', text: '' },
      },
      { kind: 'tool-call', callId: 'b', name: 'patch', namespace: 'n', input: { kind: 'text', text: '***' } },
      { kind: 'opaque', origin: 'responses', raw: { type: 'compaction', id: 'c' } },
      partOf('Bye'),
    ]
    expect(inputOf(assistant(...parts))).toEqual([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'p' },
      {
        type: 'message',
        id: expect.stringMatching(/^msg_1_\w+$/),
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'Well', annotations: [], logprobs: [] },
          { type: 'refusal', refusal: 'No' },
        ],
      },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'patch', namespace: 'n', input: '***' },
      { type: 'compaction', id: 'c' },
      {
        type: 'message',
        id: expect.stringMatching(/^msg_5_\w+$/),
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Bye', annotations: [], logprobs: [] }],
      },
    ])
  })

  test('reasoning goes back only to its origin', () => {
    const reasoning = (provider: string | undefined): Part => ({
      kind: 'reasoning',
      text: '',
      seal: provider === undefined ? undefined : { provider, proof: 'p' },
      hidden: true,
    })
    expect(inputOf(assistant(reasoning('vendorC')))).toEqual([
      { type: 'reasoning', summary: [], encrypted_content: 'p' },
    ])
    const lost = write({ turns: [assistant(reasoning('vendorD'), reasoning(undefined))] })
    expect(lost.body.input).toEqual([])
    expect(lost.losses).toEqual(['foreign_seal', 'reasoning_replay'])
  })

  test('results come before the text of the user, and failed ones are marked', () => {
    const result = (parts: Extract<Part, { kind: 'tool-result' }>['parts'], more: object = {}): Part => ({
      kind: 'tool-result',
      callId: 'a',
      isCustom: false,
      isError: false,
      parts,
      ...more,
    })
    const image = {
      kind: 'image',
      source: { kind: 'base64', mediaType: 'image/png', data: 'AA' },
      detail: undefined,
    } as const
    expect(
      inputOf(
        user(
          result([partOf('one'), partOf('two')]),
          result([partOf('oh')], { isError: true }),
          result([partOf('see'), image], { isError: true, isCustom: true }),
          result([]),
          partOf('And?'),
        ),
      ),
    ).toEqual([
      { type: 'function_call_output', call_id: 'a', output: 'one\ntwo' },
      { type: 'function_call_output', call_id: 'a', output: '[The tool failed.]\noh' },
      {
        type: 'custom_tool_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: '[The tool failed.]' },
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 'a', output: '' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And?' }] },
    ])
  })

  test('images and documents are carried inline', () => {
    const pdf = { kind: 'base64', mediaType: 'application/pdf', data: 'BB' } as const
    const content = inputOf(
      user(
        { kind: 'image', source: { kind: 'url', url: 'https://a' }, detail: 'low' },
        { kind: 'document', source: pdf, name: 'a.pdf' },
        { kind: 'document', source: pdf, name: undefined },
        { kind: 'document', source: { kind: 'url', url: 'https://b' }, name: undefined },
        { kind: 'document', source: { kind: 'text', text: 'Words' }, name: 'Notes' },
      ),
    )[0].content
    expect(content).toEqual([
      { type: 'input_image', image_url: 'https://a', detail: 'low' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BB' },
      { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,BB' },
      { type: 'input_file', file_url: 'https://b' },
      { type: 'input_text', text: 'Notes\n\nWords' },
    ])
  })

  test('a part of another dialect is declared as lost, and does not split a message', () => {
    const lost: Part = { kind: 'opaque', origin: 'messages', raw: { type: 'x' } }
    const written = write({ turns: [user(partOf('One'), lost, partOf('Two'))] })
    expect(written.losses).toEqual(['unknown_block'])
    expect(written.body.input).toMatchObject([{ content: [{ text: 'One' }, { text: 'Two' }] }])
  })
})

describe('tools', () => {
  const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
    name,
    namespace: undefined,
    description: undefined,
    input: { kind: 'json', schema: { type: 'object' }, strict: undefined },
    ...more,
  })

  test('are written as this dialect spells them', () => {
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'x' }
    const tools = [
      tool('look', { description: 'Looks.', input: { kind: 'json', schema: undefined, strict: true } }),
      tool('send', { namespace: 'mail' }),
      tool('patch', { input: { kind: 'text', format: grammar } }),
      tool('read', { namespace: 'mail', input: { kind: 'text', format: undefined } }),
    ]
    const fn = { type: 'function', description: null, parameters: { type: 'object' }, strict: false }
    const { body } = write({ tools, toolChoice: { kind: 'required' }, parallelToolCalls: false })
    expect(body).toMatchObject({ tool_choice: 'required', parallel_tool_calls: false })
    expect(body.tools).toEqual([
      {
        ...fn,
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: {} },
        strict: true,
      },
      {
        type: 'namespace',
        name: 'mail',
        description: '',
        tools: [
          { ...fn, name: 'send' },
          { type: 'custom', name: 'read', format: { type: 'text' } },
        ],
      },
      { type: 'custom', name: 'patch', format: grammar },
    ])
  })

  test('a chosen tool is written with its type and namespace', () => {
    const choose = (chosen: Tool) =>
      write({ tools: [chosen], toolChoice: { kind: 'tool', name: chosen.name, namespace: chosen.namespace } })
        .body.tool_choice
    expect(choose(tool('look'))).toEqual({ type: 'function', name: 'look' })
    expect(choose(tool('send', { namespace: 'mail' }))).toEqual({
      type: 'function',
      name: 'send',
      namespace: 'mail',
    })
    expect(choose(tool('patch', { input: { kind: 'text', format: undefined } }))).toEqual({
      type: 'custom',
      name: 'patch',
    })
  })

  test('long names are shortened everywhere, stay unique and are restored', () => {
    const long = `mcp__${'server'.repeat(12)}__`
    const call: Part = {
      kind: 'tool-call',
      callId: 'c',
      name: `${long}one`,
      namespace: undefined,
      input: { kind: 'json', text: '{}' },
    }
    const written = write({
      tools: [tool(`${long}one`), tool(`${long}two`), tool('dotted.name')],
      turns: [assistant(call)],
      toolChoice: { kind: 'tool', name: `${long}one`, namespace: undefined },
    })
    const names: string[] = written.body.tools.map(({ name }: { name: string }) => name)
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(written.body.input[0].name).toBe(names[0])
    expect(written.body.tool_choice.name).toBe(names[0])
    expect(names.map((name) => written.toolNames.get(name)?.name)).toEqual([
      `${long}one`,
      `${long}two`,
      'dotted.name',
    ])
  })

  test('without tools the request has no field about tools', () => {
    const { body } = write({ toolChoice: { kind: 'auto' }, parallelToolCalls: true })
    expect(body).not.toHaveProperty('tool_choice')
    expect(body).not.toHaveProperty('parallel_tool_calls')
  })
})
