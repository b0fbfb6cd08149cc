import { expect, test } from 'vitest'
import type { JsonObject } from '../../json/json-object.ts'
import { createStreamRelay } from '../../relay/relay-stream.ts'
import { withUsageOption } from './ask-for-usage.ts'

const chunk = (delta: object, more: object = {}, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'c1',
    object: 'chat.completion.chunk',
    model: 'gpt-x',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  })}\n\n`
const USAGE = `data: {"id":"c1","model":"gpt-x","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\n`
const DONE = 'data: [DONE]\n\n'
const ours = (sse: string) => sse.replaceAll('"gpt-x"', '"vendorC/m"')

const open = (request: JsonObject = {}) =>
  createStreamRelay({ dialect: 'chat', model: 'vendorC/m', request, maxFrameBytes: 100_000 })

const HELLO =
  chunk({ role: 'assistant', content: '' }) +
  ['He', 'l"l', 'o ', '世界', '!'].map((content) => chunk({ content })).join('')

test('every chunk names the model as the client does, and the text is counted', () => {
  const relay = open()
  const sse = HELLO + chunk({}, {}, 'stop') + DONE
  expect(relay.push(Buffer.from(sse)).toString()).toBe(ours(sse))
  expect(relay).toMatchObject({ state: 'ended', outputBytes: expect.any(Number), tokens: undefined })
  expect(relay.outputBytes).toBeGreaterThanOrEqual(Buffer.byteLength('Hel"lo 世界!'))
})

test('padding that differs from chunk to chunk is passed on', () => {
  const sse =
    ['a', 'bb', 'c'].map((content) => chunk({ content }, { obfuscation: content.repeat(5) })).join('') + DONE
  expect(open().push(Buffer.from(sse)).toString()).toBe(ours(sse))
})

test.each<[string, (plain: string[]) => string[]]>([
  ['nothing else', (plain) => plain],
  ['a quote in the middle', (plain) => plain.with(5, chunk({ content: 'say "x"' }))],
  ['a backslash at an end', (plain) => plain.with(5, chunk({ content: 'C:\\' }))],
  ['letters of several bytes', (plain) => plain.with(5, chunk({ content: 'Grüße 世界 🚢' }))],
  ['the name of the model as text', (plain) => plain.with(5, chunk({ content: '"model":"gpt-x"' }))],
  ['a call', (plain) => plain.with(5, chunk({ tool_calls: [{ function: { arguments: '{}' } }] }))],
  ['a comment', (plain) => plain.with(5, ': keep-alive\n\n')],
  ['a long piece', (plain) => plain.with(5, chunk({ content: 'x'.repeat(40_000) }))],
  ['padding', (plain) => plain.with(5, chunk({ content: 'x' }, { obfuscation: 'abc' }))],
  ['an end', (plain) => plain.with(9, chunk({ content: 'x' }, {}, 'stop'))],
])('similar chunks, and %s: one packet gives the same bytes as one chunk at a time', (_, change) => {
  const chunks = [...change(Array.from({ length: 10 }, (_, at) => chunk({ content: `w${at}` }))), DONE]
  const [together, apart] = [open(), open()]
  const passed = together.push(Buffer.from(chunks.join(''))).toString()
  expect(passed).toBe(chunks.map((one) => apart.push(Buffer.from(one)).toString()).join(''))
  expect(passed).toBe(chunks.map((one) => one.replace('"model":"gpt-x"', '"model":"vendorC/m"')).join(''))
  expect(together).toMatchObject({ state: 'ended', outputBytes: apart.outputBytes })
})

test('a chunk with a raw line break among others that are alike is broken', () => {
  const words = ['a', 'b', 'c'].map((content) => chunk({ content }))
  const broken = chunk({ content: 'LINES' }).replace('LINES', 'x\n\ny')
  const relay = open()
  const passed = relay.push(Buffer.from([...words, broken, ...words].join(''))).toString()
  expect(passed.startsWith(ours(words.join('')))).toBe(true)
  expect(relay).toMatchObject({ state: 'failed', outputBytes: 3 })
})

test('a usage chunk is read, and passes only to a client that asked for it', () => {
  const relay = open()
  expect(relay.push(Buffer.from(HELLO + chunk({}, {}, 'stop') + USAGE + DONE)).toString()).toBe(
    ours(HELLO + chunk({}, {}, 'stop') + DONE),
  )
  expect(relay.tokens).toMatchObject({ input: 7, output: 3 })
  const asking = open({ stream_options: { include_usage: true } })
  expect(asking.push(Buffer.from(HELLO + USAGE + DONE)).toString()).toBe(ours(HELLO + USAGE + DONE))
})

test('a vendor that only closes after its finish has ended well, and [DONE] is added', () => {
  const relay = open()
  relay.push(Buffer.from(HELLO + chunk({}, {}, 'stop')))
  expect(relay.close().toString()).toBe(DONE)
  expect(relay.state).toBe('ended')
})

test('a vendor that closes in the middle has failed, without [DONE]', () => {
  const relay = open()
  relay.push(Buffer.from(HELLO))
  const words = relay.close().toString()
  expect(JSON.parse(words.slice('data: '.length))).toMatchObject({
    error: { type: 'api_error', code: 'server_error', param: null },
  })
  expect(words).not.toContain('[DONE]')
  expect(relay.state).toBe('failed')
})

test('an error in a chunk ends the stream as a failure; its message loses its secrets', () => {
  const relay = createStreamRelay({
    dialect: 'chat',
    model: 'vendorC/m',
    maxFrameBytes: 100_000,
    hides: ['secret-host.example'],
  })
  relay.push(Buffer.from(HELLO))
  const passed = relay.push(
    Buffer.from('data: {"error":{"message":"secret-host.example is full","code":503}}\n\n'),
  )
  expect(passed.toString()).toBe('data: {"error":{"message":"… is full","code":503}}\n\n')
  expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'busy' } })
})

test('a chunk that cannot be read is a failure', () => {
  const relay = open()
  relay.push(Buffer.from(HELLO))
  expect(relay.push(Buffer.from('data: {"choices":\n\n')).toString()).toContain('"error"')
  expect(relay.state).toBe('failed')
})

test.each<[string, string, JsonObject]>([
  [
    '{"stream_options":{"include_usage":true},"model":"m","stream":true}',
    '{"model":"m","stream":true}',
    { stream: true },
  ],
  [
    '{"stream":true,"stream_options":{"a":1,"include_usage":true}}',
    '{"stream":true,"stream_options":{"a":1}}',
    { stream: true, stream_options: { a: 1 } },
  ],
  [
    '{"stream_options":{"include_usage":true}}',
    '{"stream_options":null}',
    { stream: true, stream_options: null },
  ],
  ['{"model":"m"}', '{"model":"m"}', {}],
])('a stream asks for its usage: %s', (expected, sent, asked) => {
  expect(withUsageOption(Buffer.from(sent), asked).toString()).toBe(expected)
})

test.each<[string, JsonObject, boolean]>([
  ['one choice', {}, true],
  ['two choices that were asked for', { n: 2 }, false],
])('a count with %s covers everything before it: %o', (_what, asked, isForAll) => {
  const relay = open(asked)
  const usage = { prompt_tokens: 7, completion_tokens: 3 }
  relay.push(Buffer.from(chunk({ content: 'some words' }, { usage })))
  expect(relay.isAllCounted).toBe(isForAll)
  relay.push(Buffer.from(USAGE.replace('3}', '4}')))
  expect(relay.isAllCounted).toBe(true)
})

test('a count with a choice covers only a part once there is a second choice', () => {
  const relay = open()
  const usage = { prompt_tokens: 7, completion_tokens: 3 }
  relay.push(Buffer.from(chunk({ content: 'some words' })))
  relay.push(
    Buffer.from(
      chunk({}, { usage, choices: [{ index: 1, delta: { content: 'more' }, finish_reason: null }] }),
    ),
  )
  expect(relay.isAllCounted).toBe(false)
})

test.each<[what: string, delta: object, bytes: number, hides: boolean]>([
  ['arguments of a function', { function_call: { name: 'say', arguments: 'x'.repeat(900) } }, 900, false],
  ['arguments of a call', { tool_calls: [{ function: { arguments: 'x'.repeat(900) } }] }, 900, false],
  ['text in parts', { content: [{ type: 'text', text: 'x'.repeat(900) }] }, 900, false],
  [
    'thinking in parts',
    { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'x'.repeat(900) }] }] },
    900,
    false,
  ],
  ['a transcript', { audio: { id: 'audio_1', data: 'UklG', transcript: 'x'.repeat(900) } }, 900, true],
  ['a picture', { images: [{ image_url: { url: 'data:image/png;base64,iVBO' } }] }, 0, true],
])('%s: its bytes of output, and whether more output is hidden', (_, delta, bytes, hides) => {
  const relay = open()
  relay.push(Buffer.from(chunk(delta)))
  expect([relay.outputBytes, relay.reasoning !== undefined]).toEqual([bytes, hides])
})
