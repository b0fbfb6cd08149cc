import { createStreamRelay } from '@sluice/dialects/relay/relay-stream'
import { expect, test } from 'vitest'
import { micros } from '../../../domain/billing/micros.ts'
import type { ReplyCharge, WholeReply } from '../contract/relay.ts'
import type { TextCommand } from '../contract/text-command.ts'
import { reportStreamCost, reportWholeCost } from './report-cost.ts'

const ASKING = { wantsCost: true } as TextCommand
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"model":"x","usage":{"input_tokens":3}}}'
const DELTA = 'event: message_delta\ndata: {"type":"message_delta","delta":{},"usage":{"output_tokens":4}}'
const STOP = 'event: message_stop\ndata: {"type":"message_stop"}'

function chargeOf(cost: number): ReplyCharge {
  const tokens = { input: 3, cachedInput: 0, cacheWrite: 0, output: 4, reasoning: 0 }
  return { tokens, priced: { lines: [], costMicros: micros(cost), unpriced: [] }, priceModel: 'a/b' }
}

const openRelay = (command: TextCommand, cost: number | null = 1_234_567) =>
  reportStreamCost(
    createStreamRelay({ dialect: 'messages', model: 'a/b', maxFrameBytes: 100_000 }),
    command,
    () => (cost === null ? undefined : chargeOf(cost)),
  )

test.each([
  ['in one chunk', [[START, DELTA, STOP]], '\n\n'],
  ['event by event', [[START], [DELTA], [STOP]], '\n\n'],
  ['with carriage returns', [[START, DELTA, STOP]], '\r\n\r\n'],
])(
  'a stream that ends %s has its cost of 1,234,567 micros directly before its last event',
  (_, pieces, blank) => {
    const relay = openRelay(ASKING)
    const written = pieces.map((frames) =>
      Buffer.from(relay.push(Buffer.from(frames.map((frame) => `${frame}${blank}`).join('')))).toString(),
    )
    const model = START.replace('"x"', '"a/b"')
    expect(written.join('')).toBe(`${model}${blank}${DELTA}${blank}: cost_usd=1.234567\n\n${STOP}${blank}`)
    expect(relay).toMatchObject({ state: 'ended', tokens: { input: 3, output: 4 } })
  },
)

test.each([
  ['its client did not ask', { wantsCost: false } as TextCommand, 1],
  ['the cost is not known', ASKING, null],
])('a stream keeps its bytes where %s', (_, command, cost) => {
  const relay = openRelay(command, cost)
  const frames = `${START.replace('"x"', '"a/b"')}\n\n${DELTA}\n\n${STOP}\n\n`
  expect(Buffer.from(relay.push(Buffer.from(frames))).toString()).toBe(frames)
})

test('a stream that fails reports no cost', () => {
  const relay = openRelay(ASKING)
  relay.push(Buffer.from(`${START}\n\n`))
  expect(Buffer.from(relay.close()).toString()).not.toContain('cost_usd')
  expect(relay.state).toBe('failed')
})

test.each([
  [0, '0.000000'],
  [7, '0.000007'],
  [1_000_000, '1.000000'],
])('a whole reply of %i micros reports %s', (cost, text) => {
  const headers: Record<string, string> = {}
  const reply: WholeReply = { kind: 'reply', body: '{}', tokens: undefined, outputBytes: 0, losses: [] }
  reportWholeCost(reply, headers, () => chargeOf(cost))
  expect(headers).toEqual({ 'x-sluice-cost-usd': text })
})

test('a reply that failed reports no cost', () => {
  const headers = {}
  reportWholeCost({ kind: 'failed', failure: { kind: 'broken', message: '' } }, headers, () => chargeOf(1))
  expect(headers).toEqual({})
})
