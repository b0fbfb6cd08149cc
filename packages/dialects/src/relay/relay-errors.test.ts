import { expect, test } from 'vitest'
import { createStreamRelay } from './relay-stream.ts'
import { spliceReply } from './splice-reply.ts'

const HIDES = ['https://api.vendor.example/v1', 'api.vendor.example', 'an-odd-key']
const LEAKY = 'Key an-odd-key is wrong\nat https://api.vendor.example/v1/messages — fragen Sie später'
const CLEAN = 'Key … is wrong at …/messages — fragen Sie später'

const START = 'event: message_start\ndata: {"type":"message_start","message":{"model":"ours/m"}}\n\n'
const CREATED =
  'event: response.created\ndata: {"type":"response.created","response":{"id":"r","model":"ours/m","output_text":""}}\n\n'

function relayed(dialect: 'messages' | 'responses', sse: string) {
  const relay = createStreamRelay({ dialect, model: 'ours/m', maxFrameBytes: 100_000, hides: HIDES })
  const passed = relay.push(Buffer.from(sse)).toString()
  return { relay, passed: passed.replace(dialect === 'messages' ? START : CREATED, '') }
}

const spelled = (message: string) => JSON.stringify(message)

test('messages: the message of an error is cleaned, every other byte stays', () => {
  const error = (message: string) =>
    `event: error\ndata: {"type":"error", "error":{"type":"overloaded_error","message":${spelled(message)},"n":1.0},"big":12345678901234567890}\n\n`
  const { relay, passed } = relayed('messages', START + error(LEAKY))
  expect(passed).toBe(error(CLEAN))
  expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'busy', message: CLEAN } })
})

test('messages: an error without secrets passes unchanged, also without its name', () => {
  const data = 'data: {"type":"error","error":{"type":"api_error","message":"Sp\\u00e4ter."}}\n\n'
  expect(relayed('messages', `${START}event: error\n${data}`).passed).toBe(`event: error\n${data}`)
  expect(relayed('messages', START + data).passed).toBe(`event: error\n${data}`)
})

test('messages: an error whose data has several lines is cleaned', () => {
  const sse = `event: error\ndata: {"type":"error",\ndata: "error":{"type":"api_error","message":${spelled(LEAKY)}}}\n\n`
  expect(relayed('messages', START + sse).passed).toBe(sse.replace(spelled(LEAKY), spelled(CLEAN)))
})

test('responses: the texts of an error event and of the failed response are cleaned', () => {
  const errors = (message: string) =>
    `event: error\ndata: {"type":"error","sequence_number":1,"code":"server_error","message":${spelled(message)},"param":null,"error":{"message":${spelled(message)},"hint":${spelled(message)}}}\n\n` +
    `event: response.failed\ndata: {"type":"response.failed","sequence_number":2,"response":{"id":"r","error":{"code":"server_error","message":${spelled(message)}},"model":"ours/m","output":[],"output_text":""}}\n\n`
  const { relay, passed } = relayed('responses', CREATED + errors(LEAKY))
  expect(passed).toBe(errors(CLEAN))
  expect(relay).toMatchObject({ state: 'failed', failure: { message: CLEAN } })
})

test.each([
  ['messages', { type: 'error', error: { type: 'api_error', message: LEAKY } }],
  ['responses', { error: { code: 'server_error', message: LEAKY } }],
] as const)('%s: an error in place of a whole reply is cleaned', (dialect, body) => {
  const reply = spliceReply(Buffer.from(JSON.stringify(body)), { dialect, model: 'ours/m', hides: HIDES })
  expect(reply).toMatchObject({ kind: 'failed', failure: { message: CLEAN } })
})

const DELTA = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}'

test.each([
  ['a delta that is cut', `event: content_block_delta\ndata: ${DELTA.slice(0, -8)}\n\n`],
  ['a delta that is not an object', 'event: content_block_delta\ndata: "Hi"\n\n'],
  ['a delta without data', 'event: content_block_delta\ndata: \n\n'],
  ['an unknown event that is cut', 'event: of_tomorrow\ndata: {"type":"of_tomorrow"\n\n'],
  ['an unknown event whose data is not JSON', 'event: of_tomorrow\ndata: oops\n\n'],
  ['a ping that is cut', 'event: ping\ndata: {"type":\n\n'],
  ['an event without a name', `data: ${DELTA.slice(0, -1)}]\n\n`],
  ['other line ends', `event: content_block_delta\r\ndata: ${DELTA.slice(0, -8)}\r\n\r\n`],
])('a broken event is a failure, even if the gateway does not read it: %s', (_what, sse) => {
  const good = `event: content_block_delta\ndata: ${DELTA}\n\n`
  const { relay, passed } = relayed('messages', START + good + sse)
  expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'broken' }, endedEarly: true })
  expect(passed.startsWith(`${good}event: error\n`)).toBe(true)
})

test.each([
  ['blanks around', `event: content_block_delta\ndata:  ${DELTA} \t\n\n`],
  ['no blank', `event: content_block_delta\ndata:${DELTA}\n\n`],
  ['several lines', `event: content_block_delta\ndata: {\ndata: ${DELTA.slice(1)}\n\n`],
  ['a field behind', `event: content_block_delta\ndata: ${DELTA}\nid: 7\n\n`],
  ['a ping without data', 'event: ping\ndata:\n\n'],
  ['a comment', ': still there\n\n'],
])('other spellings are accepted: %s', (_what, sse) => {
  const { relay, passed } = relayed('messages', START + sse)
  expect(relay.state).toBe('flowing')
  expect(passed).toBe(sse)
})
