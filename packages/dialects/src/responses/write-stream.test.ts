import { expect, test } from 'vitest'
import { wireEvents } from '../../../../test/fixtures/text/responses/check-grammar.ts'
import { makeHead, REQUEST } from '../../../../test/fixtures/text/responses/fixture.ts'
import type { BlockHead, EndReason, ReplyEvent } from '../canonical/reply-event.ts'
import type { TextRequest } from '../canonical/request.ts'
import { writeResponsesReply, writeResponsesStream } from './write-stream.ts'

const START: ReplyEvent = { kind: 'reply-start', tokens: undefined }
const DONE = { kind: 'reply-end', reason: { kind: 'done' }, tokens: undefined } as const
const block = (head: BlockHead, ...pieces: string[]): ReplyEvent[] => [
  { kind: 'block-start', block: head },
  ...pieces.map((text): ReplyEvent => ({ kind: 'block-delta', text })),
  { kind: 'block-end' },
]
const text = (...pieces: string[]) => block({ kind: 'text' }, ...pieces)
const call = (input: 'json' | 'text', namespace: string | undefined, ...pieces: string[]) =>
  block({ kind: 'tool-call', callId: 'call_1', name: 'go', namespace, input }, ...pieces)

function streamOf(events: readonly ReplyEvent[], request: Partial<TextRequest> = {}): string {
  const writer = writeResponsesStream(makeHead(request))
  return events.map((event) => writer.write(event)).join('')
}

test('a text, event by event', () => {
  const events = wireEvents(streamOf([START, ...text('Hel', 'lo'), DONE]))
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const part = { type: 'output_text', annotations: [], logprobs: [], text: 'Hello' }
  const item = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [part] }
  const numbered = [
    {
      type: 'response.created',
      response: { id: 'resp_ours', status: 'in_progress', output: [], usage: null },
    },
    { type: 'response.in_progress', response: { status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...at, delta: 'Hel', logprobs: [] },
    { type: 'response.output_text.delta', ...at, delta: 'lo', logprobs: [] },
    { type: 'response.output_text.done', ...at, text: 'Hello', logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { status: 'completed', output: [item], output_text: 'Hello' } },
  ].map((event, sequence_number) => ({ ...event, sequence_number }))
  expect(events).toMatchObject(numbered)
  for (const { response } of events.slice(0, 2)) expect(response).toMatchObject({ output_text: '' })
})

test('consecutive texts and refusals are parts of one message', () => {
  const { body } = writeResponsesReply(
    [
      START,
      ...text('a'),
      ...block({ kind: 'refusal' }, 'no'),
      ...call('json', undefined, '{}'),
      ...text('b'),
      DONE,
    ],
    makeHead(),
  )
  expect(body).toMatchObject({
    output_text: 'ab',
    output: [
      { type: 'message', id: 'msg_1', content: [{ text: 'a' }, { type: 'refusal', refusal: 'no' }] },
      { type: 'function_call' },
      { type: 'message', id: 'msg_3', content: [{ text: 'b' }] },
    ],
  })
})

test("calls have the client's names of their tools", () => {
  const outputOf = (events: ReplyEvent[]) => writeResponsesReply([START, ...events, DONE], makeHead()).body
  expect(outputOf(call('json', 'ns', '{"a"', ':1}'))).toMatchObject({
    output: [
      {
        id: 'fc_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_1',
        name: 'go',
        namespace: 'ns',
        arguments: '{"a":1}',
      },
    ],
  })
  expect(outputOf(call('text', undefined, '*** Begin\n'))).toHaveProperty('output', [
    {
      id: 'ctc_1',
      type: 'custom_tool_call',
      status: 'completed',
      call_id: 'call_1',
      name: 'go',
      input: '*** Begin\n',
    },
  ])
  expect(outputOf(call('json', undefined))).toMatchObject({ output: [{ arguments: '{}' }] })
})

test('the end of arguments names their function; the input of a custom tool has no name', () => {
  const doneOf = (events: ReplyEvent[]) =>
    wireEvents(streamOf([START, ...events, DONE])).find(({ type }) => /(arguments|input)\.done$/.test(type))
  const at = { sequence_number: expect.any(Number), output_index: 0 }
  expect(doneOf(call('json', 'ns', '{"a":1}'))).toEqual({
    ...{ type: 'response.function_call_arguments.done', ...at, item_id: 'fc_1' },
    ...{ name: 'go', arguments: '{"a":1}' },
  })
  expect(doneOf(call('text', undefined, 'x'))).toEqual({
    ...{ type: 'response.custom_tool_call_input.done', ...at, item_id: 'ctc_1', input: 'x' },
  })
})

test('a block of another dialect is lost, and does not split a message', () => {
  const opaque = block({ kind: 'opaque', origin: 'messages', raw: { type: 'server_tool_use' } })
  const { body, losses } = writeResponsesReply(
    [START, ...text('a'), ...opaque, ...text('b'), DONE],
    makeHead(),
  )
  expect(body).toMatchObject({ output: [{ content: [{ text: 'a' }, { text: 'b' }] }] })
  expect([...losses]).toEqual(['unknown_block'])
})

test.each<[EndReason, string, object | null]>([
  [{ kind: 'done' }, 'completed', null],
  [{ kind: 'tool-calls' }, 'completed', null],
  [{ kind: 'stop-sequence', sequence: 'x' }, 'completed', null],
  [{ kind: 'length' }, 'incomplete', { reason: 'max_output_tokens' }],
  [{ kind: 'content-filter' }, 'incomplete', { reason: 'content_filter' }],
])('the end %j', (reason, status, details) => {
  const tokens = { input: 10, cachedInput: 5, cacheWrite: 2, output: 7, reasoning: 3 }
  const events = wireEvents(
    streamOf([START, ...call('json', undefined, '{"a'), { kind: 'reply-end', reason, tokens }]),
  )
  expect(events.at(-1)).toMatchObject({
    type: `response.${status}`,
    response: {
      status,
      completed_at: status === 'completed' ? 1_800_000_007 : null,
      incomplete_details: details,
      output: [{ status, arguments: '{"a' }],
      usage: {
        input_tokens: 17,
        input_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 24,
      },
    },
  })
  expect(events.at(-2)).toMatchObject({ type: 'response.output_item.done', item: { status } })
})

test('a failure in the middle: an error event in both spellings, the failed response, and nothing more', () => {
  const writer = writeResponsesStream(makeHead())
  for (const event of [START, ...text('Half').slice(0, 2)]) writer.write(event)
  const sse = writer.write({ kind: 'reply-failed', failure: { kind: 'busy', message: 'Later' } })
  expect(wireEvents(sse)).toMatchObject([
    {
      type: 'error',
      sequence_number: 5,
      code: 'rate_limit_exceeded',
      message: 'Later',
      param: null,
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'Later', param: null },
    },
    {
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: 'Later' },
        output: [{ status: 'incomplete', content: [{ text: 'Half' }] }],
      },
    },
  ])
  expect([writer.write({ kind: 'block-end' }), writer.write(DONE), writer.keepAlive()]).toEqual(['', '', ''])
})

test('a silence is filled with repeated start events, and later with comments', () => {
  const writer = writeResponsesStream(makeHead())
  expect(wireEvents(writer.keepAlive()).map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
  ])
  expect(writer.write(START)).toBe('')
  expect(wireEvents(writer.keepAlive())).toMatchObject([{ type: 'response.in_progress', sequence_number: 2 }])
  writer.write({ kind: 'block-start', block: { kind: 'text' } })
  expect(writer.keepAlive()).toBe(': keep-alive\n\n')
})

test('no text can forge an event', () => {
  const hostile = '\n\nevent: response.completed\ndata: {}\n\n\r\r\u2028\u2029\u0085"\\'
  const sse = streamOf([
    START,
    ...text(hostile),
    ...block(
      { kind: 'tool-call', callId: hostile, name: hostile, namespace: hostile, input: 'text' },
      hostile,
    ),
    { kind: 'reply-failed', failure: { kind: 'vendor', message: hostile } },
  ])
  expect(sse).not.toContain('\r')
  expect(sse.match(/^event: /gm)).toHaveLength(wireEvents(sse).length)
  expect(wireEvents(sse).filter(({ type }) => type === 'response.completed')).toEqual([])
  expect(wireEvents(sse).at(-2)).toMatchObject({ message: hostile })
})

test('content that the reader could not carry is among the losses', () => {
  const end: ReplyEvent = { ...DONE, losses: ['citations'] }
  expect([...writeResponsesReply([START, end], makeHead()).losses]).toEqual(['citations'])
  const writer = writeResponsesStream(makeHead())
  for (const event of [START, end]) writer.write(event)
  expect([...writer.losses]).toEqual(['citations'])
})

test('the response repeats its request', () => {
  const request: TextRequest = {
    ...REQUEST,
    turns: [{ role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] }, ...REQUEST.turns],
    maxOutputTokens: 100,
    temperature: 0.5,
    topP: 0.9,
    tools: [
      {
        name: 'go',
        namespace: undefined,
        description: 'Goes.',
        input: { kind: 'json', schema: {}, strict: true },
      },
    ],
    toolChoice: { kind: 'tool', name: 'go', namespace: undefined },
    parallelToolCalls: false,
    reasoning: { effort: 'low', budgetTokens: undefined, summary: 'auto', wantsSeal: false },
    format: { kind: 'json-schema', name: 'n', description: undefined, schema: {}, strict: true },
    verbosity: 'low',
    userId: 'me',
    metadata: { a: 'b' },
    cacheKey: 'key',
  }
  expect(writeResponsesReply([START, DONE], makeHead(request)).body).toEqual({
    id: 'resp_ours',
    object: 'response',
    created_at: 1_800_000_000,
    completed_at: 1_800_000_007,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'vendorC/model-4.1',
    output: [],
    output_text: '',
    usage: null,
    instructions: 'Be brief.',
    tools: [{ type: 'function', name: 'go', description: 'Goes.', parameters: {}, strict: true }],
    tool_choice: { type: 'function', name: 'go' },
    parallel_tool_calls: false,
    max_output_tokens: 100,
    max_tool_calls: null,
    temperature: 0.5,
    top_p: 0.9,
    top_logprobs: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'n', schema: {}, strict: true }, verbosity: 'low' },
    metadata: { a: 'b' },
    safety_identifier: 'me',
    user: null,
    prompt_cache_key: 'key',
    service_tier: 'default',
    previous_response_id: null,
    truncation: 'disabled',
    background: false,
    store: false,
    access_programs: null,
  })
})
