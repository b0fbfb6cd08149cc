import type { Dialect, TextEndpoint } from '@sluice/dialects/dialect-facts'
import { describe, expect, test } from 'vitest'
import { CALLER } from '../../../test/caller.ts'
import { planAtOnce } from '../../../test/vendor-call/plan-at-once.ts'
import { replyJobsHere } from '../../../test/vendor-call/reply-jobs-here.ts'
import { routeTo } from '../../../test/vendor-call/route-to.ts'
import { builtInModels } from '../../domain/catalog/built-in.ts'
import { LightBody } from './contract/light-body.ts'
import { planConversion } from './plan/plan-conversion.ts'
import { resolveItems } from './vendor-state/resolve-items.ts'

/** Arguments and a schema whose numbers JavaScript would round. */
const INPUT = '{"message_id":1234567890123456789,"price":1.10000000000000000001,"far":1e400}'
const SCHEMA = '{"type":"object","properties":{"id":{"type":"integer","maximum":18446744073709551615}}}'
const QUOTED = JSON.stringify(INPUT)

const MODEL = 'vendorC/model-4.1'
const HEAD = `"model":"${MODEL}","max_tokens":64`
const SAYS = '"messages":[{"role":"user","content":"Hi"}]'
function commandOf(endpoint: TextEndpoint, json: string) {
  return {
    endpoint,
    caller: CALLER,
    body: new LightBody(endpoint, Buffer.from(json), JSON.parse(json)),
    version: undefined,
    betas: undefined,
    isStrict: false,
    requestId: 'req_1',
    idempotencyKey: undefined,
  }
}

function planFor(endpoint: TextEndpoint, dialect: Dialect, json = PLAIN[endpoint]) {
  const provider = {
    name: 'vendorC',
    hides: [],
    findModel: () => ({ dialect, upstream: 'up', countsTokens: false, reasons: true }),
    send: () => ({ stop() {} }),
  }
  const model = builtInModels(0).find(({ name }) => name === MODEL)
  const route = routeTo(provider, { model, endpoint })
  const plan = planConversion(commandOf(endpoint, json), route, {
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    newId: (prefix) => `${prefix}_1`,
    recentItems: { keep() {}, find: async () => new Map() },
    rates: { reasons: () => false },
    runReply: replyJobsHere().run,
  })
  return planAtOnce(plan)
}

const PLAIN: Record<TextEndpoint, string> = {
  messages: `{${HEAD},${SAYS}}`,
  responses: `{"model":"${MODEL}","input":"Hi"}`,
  chat: `{"model":"${MODEL}",${SAYS}}`,
}

describe('the sent request', () => {
  const call = `{"type":"tool_use","id":"call_1","name":"f","input":${INPUT}}`
  const result = '{"type":"tool_result","tool_use_id":"call_1","content":"Done"}'
  const messages = `{${HEAD},"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[${call}]},{"role":"user","content":[${result}]}]}`
  const responses = `{"model":"${MODEL}","input":[{"role":"user","content":"Hi"},{"type":"function_call","call_id":"call_1","name":"f","arguments":${QUOTED}},{"type":"function_call_output","call_id":"call_1","output":"Done"}]}`

  test.each([
    ['messages', 'chat', messages, `"arguments":${QUOTED}`],
    ['messages', 'responses', messages, `"arguments":${QUOTED}`],
    ['responses', 'chat', responses, `"arguments":${QUOTED}`],
    ['responses', 'messages', responses, `"input":${INPUT}`],
  ] as const)('a call of the history, %s to %s', (endpoint, dialect, json, sent) => {
    expect(String(planFor(endpoint, dialect, json).body)).toContain(sent)
  })

  const tool = `{"name":"f","input_schema":${SCHEMA}}`
  const named = `"type":"function","name":"f","parameters":${SCHEMA}`
  const namespace = `{"type":"namespace","name":"n","tools":[{${named}}]}`

  test.each([
    ['messages', 'chat', `{${HEAD},${SAYS},"tools":[${tool}]}`],
    ['messages', 'responses', `{${HEAD},${SAYS},"tools":[${tool}]}`],
    ['responses', 'chat', `{"model":"${MODEL}","input":"Hi","tools":[{${named}}]}`],
    ['responses', 'messages', `{"model":"${MODEL}","input":"Hi","tools":[{${named}}]}`],
    ['responses', 'messages', `{"model":"${MODEL}","input":"Hi","tools":[${namespace}]}`],
  ] as const)('a schema of a tool, %s to %s', (endpoint, dialect, json) => {
    expect(String(planFor(endpoint, dialect, json).body)).toContain(SCHEMA)
  })

  const format = `"format":{"type":"json_schema","name":"f","schema":${SCHEMA}}`

  test.each([
    ['messages', 'chat', `{${HEAD},${SAYS},"output_config":{${format}}}`],
    ['messages', 'responses', `{${HEAD},${SAYS},"output_config":{${format}}}`],
    ['responses', 'chat', `{"model":"${MODEL}","input":"Hi","text":{${format}}}`],
  ] as const)('a schema of the answer, %s to %s', (endpoint, dialect, json) => {
    expect(String(planFor(endpoint, dialect, json).body)).toContain(SCHEMA)
  })

  test('a setting of the request becomes a plain number', () => {
    const json = `{${HEAD},${SAYS},"temperature":0.30000000000000001,"tools":[${tool}]}`
    expect(String(planFor('messages', 'chat', json).body)).toContain('"temperature":0.3,')
  })

  test('a request with resolved references is rewritten with its exact numbers', async () => {
    const json = `{"model":"${MODEL}","input":[{"type":"item_reference","id":"msg_1"}],"tools":[{${named}}]}`
    const items = new Map([['msg_1', { type: 'message', role: 'user', content: 'Hi' }]])
    const { body } = await resolveItems(commandOf('responses', json), {
      recentItems: { keep() {}, find: async () => items },
      readHeavyBody: () => Promise.reject(new Error('it is light')),
      summaries: { encrypt: () => '', decrypt: () => undefined },
    })
    if (body.bytes === undefined) throw new Error('a light body must stay light')
    expect(body.bytes.toString()).toContain(SCHEMA)
    expect(JSON.stringify(body.value)).toBe(body.bytes.toString())
  })
})

/** One tool call in the reply of each dialect, whole and as a stream. */
const REPLIES: Record<Dialect, { whole: string; stream: string }> = {
  chat: {
    whole: `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":${QUOTED}}}]},"finish_reason":"tool_calls"}]}`,
    stream: [
      `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"f","arguments":${QUOTED}}}]}}]}\n\n`,
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
    ].join(''),
  },
  messages: {
    whole: `{"type":"message","content":[{"type":"tool_use","id":"call_1","name":"f","input":${INPUT}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
    stream: [
      'data: {"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"call_1","name":"f","input":{}}}\n\n',
      `data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${QUOTED}}}\n\n`,
      'data: {"type":"content_block_stop","index":0}\n\n',
      'data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}\n\n',
      'data: {"type":"message_stop"}\n\n',
    ].join(''),
  },
  responses: {
    whole: `{"status":"completed","output":[{"type":"function_call","call_id":"call_1","name":"f","arguments":${QUOTED}}]}`,
    stream: [
      'data: {"type":"response.created","response":{}}\n\n',
      'data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":""}}\n\n',
      `data: {"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":${QUOTED}}\n\n`,
      `data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":${QUOTED}}}\n\n`,
      `data: {"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","call_id":"call_1","name":"f","arguments":${QUOTED}}]}}\n\n`,
    ].join(''),
  },
}

async function wholeOf(
  endpoint: TextEndpoint,
  dialect: Dialect,
  reply = REPLIES[dialect].whole,
): Promise<string> {
  const read = await planFor(endpoint, dialect).readWhole(Buffer.from(reply))
  return read.kind === 'reply' ? String(read.body) : read.failure.message
}

describe('a call in a reply', () => {
  test.each([
    ['chat', 'messages', `"input":${INPUT}`, `"partial_json":${QUOTED}`],
    ['responses', 'messages', `"input":${INPUT}`, `"partial_json":${QUOTED}`],
    ['messages', 'responses', `"arguments":${QUOTED}`, `"arguments":${QUOTED}`],
    ['chat', 'responses', `"arguments":${QUOTED}`, `"arguments":${QUOTED}`],
  ] as const)('%s to %s, whole and as a stream', async (dialect, endpoint, inWhole, inStream) => {
    expect(await wholeOf(endpoint, dialect)).toContain(inWhole)
    const relay = planFor(endpoint, dialect).openRelay()
    expect(String(relay.push(Buffer.from(REPLIES[dialect].stream)))).toContain(inStream)
    expect(relay.state).toBe('ended')
  })

  test('of a chat vendor who gives its arguments as an object', async () => {
    const reply = REPLIES.chat.whole.replace(QUOTED, INPUT)
    expect(await wholeOf('messages', 'chat', reply)).toContain(`"input":${INPUT}`)
  })

  test('of a vendor who gives its input at the start of a block', () => {
    const stream = REPLIES.messages.stream
      .replace('"input":{}', `"input":${INPUT}`)
      .replace(QUOTED, JSON.stringify(''))
    const written = planFor('responses', 'messages').openRelay().push(Buffer.from(stream))
    expect(String(written)).toContain(`"arguments":${QUOTED}`)
  })

  test.each(['1234567890123456789', '1e400'])(
    'with only a number as arguments fails the reply: %s',
    async (number) => {
      const whole = (dialect: Dialect, reply: string) =>
        wholeOf(dialect === 'messages' ? 'responses' : 'messages', dialect, reply)
      expect(await whole('messages', REPLIES.messages.whole.replace(INPUT, number))).toContain(
        'cannot be read',
      )
      expect(await whole('chat', REPLIES.chat.whole.replace(QUOTED, `"${number}"`))).toContain(
        'not a JSON object',
      )
    },
  )
})

test('arguments in the history that are only a number are unchanged', () => {
  const json = `{"model":"${MODEL}","input":[{"role":"user","content":"Hi"},{"type":"function_call","call_id":"c","name":"f","arguments":"1234567890123456789"},{"type":"function_call_output","call_id":"c","output":"Done"}]}`
  expect(String(planFor('responses', 'messages', json).body)).toContain(
    '"input":{"input":"1234567890123456789"}',
  )
})
