import { expect, test } from 'vitest'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { createStreamRelay } from '../relay/relay-stream.ts'
import { spliceReply } from '../relay/splice-reply.ts'

const MADE = {
  ...{ type: 'bash_code_execution_tool_result', tool_use_id: 'srvtoolu_1' },
  content: { content: [{ type: 'bash_code_execution_output', file_id: 'file_made' }] },
}
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'f', input: { file_id: 'file_named' } }
const MESSAGE_EVENTS = [
  { type: 'message_start', message: { id: 'msg_1', type: 'message', model: 'm', content: [], usage: {} } },
  { type: 'content_block_start', index: 0, content_block: MADE },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: CALL },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', container: { id: 'container_1' } },
    usage: { output_tokens: 1 },
  },
  { type: 'message_stop' },
]

const OUTPUT = [
  { type: 'reasoning', id: 'rs_1', summary: [] },
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1' },
  {
    ...{ type: 'message', id: 'msg_1', role: 'assistant' },
    content: [
      {
        ...{ type: 'output_text', text: '{"file_id":"file_named"}' },
        annotations: [{ type: 'container_file_citation', container_id: 'cntr_1', file_id: 'cfile_1' }],
      },
    ],
  },
  { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"container_id":"cntr_named"}' },
]
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'm',
  output: OUTPUT,
  usage: {},
}

function idsOf(
  dialect: 'messages' | 'responses',
  body: object,
  events: readonly { type: string }[],
): string[] {
  const kept: string[] = []
  const ids = {
    ...CLIENT_DIALECTS[dialect].passthrough.idsToCollect({ ...body }),
    keep: (given: readonly string[]) => kept.push(...given),
  }
  const relay = createStreamRelay({ dialect, model: 'm', maxFrameBytes: 1e6, ids })
  const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  for (const frame of frames) relay.push(Buffer.from(frame))
  expect(relay.state).toBe('ended')
  return kept
}

const RUNS_CODE = { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }

test.each<[body: object, ids: string[]]>([
  [{}, ['container_1']],
  [RUNS_CODE, ['file_made', 'container_1']],
  [{ thread: { type: 'create' } }, ['msg_1', 'container_1']],
])('a streamed message gives the ids that its request can name later: %j', (body, ids) => {
  expect(idsOf('messages', body, MESSAGE_EVENTS)).toEqual(ids)
})

test.each<[body: object, ids: string[]]>([
  [{}, ['rs_1', 'ws_1', 'ci_1', 'cntr_1', 'msg_1', 'cfile_1', 'cntr_1', 'fc_1']],
  [{ store: false }, ['ws_1', 'ci_1', 'cntr_1', 'cfile_1', 'cntr_1']],
])('a response gives the ids of its items, streamed or whole: %j', (body, ids) => {
  const events = [
    { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
    { type: 'response.completed', response: RESPONSE },
  ]
  expect(idsOf('responses', body, events)).toEqual(ids)
  const kept: string[] = []
  const listening = {
    ...CLIENT_DIALECTS.responses.passthrough.idsToCollect({ ...body }),
    keep: (given: readonly string[]) => kept.push(...given),
  }
  spliceReply(Buffer.from(JSON.stringify(RESPONSE)), { dialect: 'responses', model: 'm', ids: listening })
  expect(kept).toEqual(ids)
})
