import { describe, expect, test } from 'vitest'
import { read, refused } from '../../../../test/fixtures/text/responses/request-parts.ts'
import { UNSEALED } from '../canonical/seal.ts'

const turnsOf = (...input: object[]) => read({ input }).turns
const GO = { role: 'user', content: 'Go' }
const text = (words: string) => ({ kind: 'text', text: words })

const TEXT = { type: 'input_text', text: 'x' }
const OUTPUT = { type: 'output_text', text: 'x' }
const IMAGE = { type: 'input_image', image_url: 'https://a/b.png', detail: 'auto', file_id: null }
const FILE = { type: 'input_file', filename: 'a.pdf', file_url: 'https://a/b.pdf' }
const REPLY = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [OUTPUT] }
const CALL = {
  type: 'function_call',
  id: 'fc_1',
  status: 'completed',
  call_id: 'c',
  name: 'f',
  arguments: '{}',
}

describe('turns', () => {
  test('a string is a message of the user, after the instructions', () => {
    expect(read({ instructions: 'Be brief.' }).turns).toEqual([
      { role: 'system', parts: [text('Be brief.')] },
      { role: 'user', parts: [text('Hi')] },
    ])
  })

  test('messages keep their roles and their order', () => {
    const message = (role: string) => ({ role, content: [{ type: 'input_text', text: role }] })
    expect(turnsOf(...['developer', 'user', 'system', 'user', 'user'].map(message))).toEqual(
      ['developer', 'user', 'system', 'user', 'user'].map((role) => ({ role, parts: [text(role)] })),
    )
  })

  test('consecutive items of the assistant are one turn, and so are consecutive results', () => {
    const turns = turnsOf(
      { role: 'user', content: 'Go' },
      {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 'Hm' }],
        content: null,
        encrypted_content: 'gw1.vendorC.a.b',
      },
      {
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'Well' },
          { type: 'refusal', refusal: 'No' },
        ],
      },
      { type: 'function_call', call_id: 'a', name: 'look', namespace: 'eyes', arguments: '{"x":1}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '*** Begin' },
      { type: 'function_call_output', call_id: 'a', output: 'seen' },
      { type: 'custom_tool_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'done' }] },
      { role: 'user', content: 'Thanks' },
    )
    expect(turns).toEqual([
      { role: 'user', parts: [text('Go')] },
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'Hm', seal: { provider: 'vendorC', proof: 'a.b' }, hidden: false },
          text('Well'),
          { kind: 'refusal', text: 'No' },
          {
            kind: 'tool-call',
            callId: 'a',
            name: 'look',
            namespace: 'eyes',
            input: { kind: 'json', text: '{"x":1}' },
          },
          {
            kind: 'tool-call',
            callId: 'b',
            name: 'patch',
            namespace: undefined,
            input: { kind: 'text', text: '*** Begin' },
          },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'tool-result', callId: 'a', isCustom: false, isError: false, parts: [text('seen')] },
          { kind: 'tool-result', callId: 'b', isCustom: true, isError: false, parts: [text('done')] },
        ],
      },
      { role: 'user', parts: [text('Thanks')] },
    ])
  })

  test('reasoning with only a seal is hidden, and reasoning with a proof of unknown origin keeps only its text', () => {
    const item = (more: object) => ({ type: 'reasoning', summary: [], ...more })
    expect(turnsOf(item({ encrypted_content: 'gw1.p.x' }), GO)).toMatchObject([
      {
        role: 'assistant',
        parts: [{ kind: 'reasoning', text: '', seal: { provider: 'p', proof: 'x' }, hidden: true }],
      },
      { role: 'user' },
    ])
    const foreign = read({
      input: [
        GO,
        item({ encrypted_content: 'gAAAA' }),
        item({ encrypted_content: 'gAAAA', content: [{ type: 'reasoning_text', text: 'Hm' }] }),
      ],
    })
    expect(foreign.turns.slice(1)).toEqual([
      { role: 'assistant', parts: [{ kind: 'reasoning', text: 'Hm', seal: undefined, hidden: false }] },
    ])
    expect(foreign.losses).toEqual(['foreign_seal'])
  })

  test('images and files from any source', () => {
    const content = [
      { type: 'input_image', image_url: 'https://a/b.png', detail: 'high' },
      { type: 'input_image', image_url: 'data:image/PNG;charset=x;base64,AAAA', detail: 'auto' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
      { type: 'input_file', filename: 'a.txt', file_data: 'CCCC' },
      { type: 'input_file', file_url: 'https://a/b.pdf' },
      { type: 'input_audio', input_audio: {} },
    ]
    const parts = [
      { kind: 'image', source: { kind: 'url', url: 'https://a/b.png' }, detail: 'high' },
      { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' }, detail: undefined },
      {
        kind: 'document',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'BBBB' },
        name: 'a.pdf',
      },
      { kind: 'document', source: { kind: 'base64', mediaType: 'text/plain', data: 'CCCC' }, name: 'a.txt' },
      { kind: 'document', source: { kind: 'url', url: 'https://a/b.pdf' }, name: undefined },
    ]
    expect(turnsOf({ role: 'user', content })).toEqual([
      { role: 'user', parts: [...parts, { kind: 'opaque', origin: 'responses', raw: content[5] }] },
    ])
    const result = read({ input: [{ type: 'function_call_output', call_id: 'c', output: content }] })
    expect(result.turns[0]?.parts).toEqual([
      { kind: 'tool-result', callId: 'c', isCustom: false, isError: false, parts },
    ])
    expect(result.losses).toEqual(['unknown_block'])
  })

  test.each<[string, object, string[]]>([
    ['a mark for the cache', { ...TEXT, prompt_cache_breakpoint: { mode: 'explicit' } }, ['cache_control']],
    ['no mark for the cache', { ...TEXT, prompt_cache_breakpoint: null }, []],
    ['a cached image', { ...IMAGE, prompt_cache_breakpoint: { mode: 'explicit' } }, ['cache_control']],
    ['the detail of a file', { ...FILE, detail: 'high' }, ['image_detail']],
    ['the default detail of a file', { ...FILE, detail: 'auto' }, []],
    ['an unknown field of an image', { ...IMAGE, of_tomorrow: 'x' }, ['unknown_field']],
    ['an unknown field of a file', { ...FILE, of_tomorrow: 'x' }, ['unknown_field']],
    ['cited text', { ...OUTPUT, annotations: [{ type: 'url_citation', url: 'https://a' }] }, ['citations']],
    ['uncited text', { ...OUTPUT, annotations: [], logprobs: [] }, []],
  ])('what is lost with %s, also in a result', (_, part, losses) => {
    expect(read({ input: [{ role: 'user', content: [part] }] }).losses).toEqual(losses)
    const result = { type: 'function_call_output', call_id: 'c', output: [part] }
    expect(read({ input: [result] }).losses).toEqual(losses)
  })

  test.each<[object, string[]]>([
    [{ ...REPLY, phase: 'commentary' }, ['unknown_field']],
    [{ ...REPLY, phase: null }, []],
    [{ ...CALL, caller: { type: 'program', caller_id: 'p' } }, ['unknown_field']],
    [{ ...CALL, caller: { type: 'direct' } }, []],
  ])('the phase and caller of an item are lost; its id and status are ignored: %j', (item, losses) => {
    expect(read({ input: [item, GO] }).losses).toEqual(losses)
  })

  test('items that only their vendor knows stay unchanged', () => {
    const raw = { type: 'web_search_call', id: 'ws', status: 'completed' }
    expect(turnsOf(raw, GO)[0]).toEqual({
      role: 'assistant',
      parts: [{ kind: 'opaque', origin: 'responses', raw }],
    })
  })

  test.each(['compaction', 'compaction_summary', 'context_compaction'])(
    'a conversation that only its vendor can read is refused, not dropped: %s',
    (type) => {
      const item = { type, id: 'cmp_1', encrypted_content: 'gAAAA' }
      expect(refused({ input: [GO, item, GO] })).toEqual({
        status: 400,
        code: 'invalid_parameter',
        param: 'input.1',
        message:
          'input.1 is an earlier part of the conversation that only the vendor who packed it can read: send its messages instead, or stay with a model of that vendor.',
      })
      expect(read({ input: [{ type, id: 'cmp_1' }, GO] }).turns).toHaveLength(2)
    },
  )

  test('a request to compact the conversation is refused, because its summary would look like an answer', () => {
    expect(refused({ input: [GO, { type: 'compaction_trigger' }] })).toMatchObject({
      code: 'invalid_parameter',
      param: 'input.1',
      message: expect.stringContaining('ask for a summary in words'),
    })
  })

  test.each([
    ['input.0.content.0.file_id', { role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }],
    ['input.0.content.0.file_id', { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }],
    [
      'input.0.content.0.image_url',
      { role: 'user', content: [{ type: 'input_image', image_url: 'http://a' }] },
    ],
    [
      'input.0.content.0.image_url',
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png,x' }] },
    ],
    [
      'input.0.output.0.image_url',
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_image', image_url: 'file:///a' }],
      },
    ],
    [
      'input.0.content.0.image_url',
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,no base64' }] },
    ],
    [
      'input.0.content.0.file_data',
      { role: 'user', content: [{ type: 'input_file', file_data: 'data:application/pdf;base64,' }] },
    ],
    [
      'input.0.content.0.file_data',
      { role: 'user', content: [{ type: 'input_file', filename: 'a.pdf', file_data: 'https://a/b' }] },
    ],
    ['input.0', { type: 'item_reference', id: 'msg_gone' }],
    ['input', { role: 'user', content: '' }],
    ['input', { role: 'user', content: [{ type: 'of_tomorrow' }] }],
    ['input', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] }],
  ])('refuses %s', (param, item) => {
    expect(refused({ input: [item] })).toMatchObject({ code: 'invalid_parameter', param })
  })

  test.each([[''], [[]]])('refuses an empty input: %j', (input) => {
    expect(refused({ input, instructions: 'Be brief.' })).toMatchObject({
      code: 'invalid_parameter',
      param: 'input',
    })
  })

  test('reasoning that the gateway marked as unproven has no proof, which is not a loss yet', () => {
    const summary = [{ type: 'summary_text', text: 'Hm' }]
    const unsealed = { type: 'reasoning', id: 'rs_1', summary, encrypted_content: UNSEALED }
    const { turns, losses } = read({ input: [unsealed, GO] })
    expect(turns[0]?.parts).toEqual([{ kind: 'reasoning', text: 'Hm', seal: undefined, hidden: false }])
    expect(losses).toEqual([])
  })
})
