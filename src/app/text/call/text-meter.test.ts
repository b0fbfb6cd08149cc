import { expect, test } from 'vitest'
import { createLogBook } from '../../../../test/engines/cache/log-book.ts'
import { routeTo } from '../../../../test/vendor-call/route-to.ts'
import { micros } from '../../../domain/billing/micros.ts'
import { builtInModels } from '../../../domain/catalog/built-in.ts'
import type { TextRoute } from '../route/choose-route.ts'
import { createTextMeter, type MeteredCall } from './text-meter.ts'
import type { ServedEnd } from './vendor-call-end.ts'

const NAME = 'vendorD/text-large'
const PRICED: TextRoute = routeTo(
  {
    name: 'vendorD',
    hides: [],
    findModel: () => ({ dialect: 'messages', upstream: 'up', countsTokens: false, reasons: true }),
    send: () => ({ stop() {} }),
  },
  { model: builtInModels(0).find(({ name }) => name === NAME), endpoint: 'messages' },
)
const NOTHING = micros(0)
const FREE: TextRoute = {
  ...PRICED,
  prices: { ...PRICED.prices, inputMicros: NOTHING, outputMicros: NOTHING },
}
const END: ServedEnd = {
  ...{ kind: 'served', outcome: 'completed', isReadToEnd: true, outputBytes: 4, firstByteMs: 1, losses: [] },
  tokens: { input: 7, cachedInput: 0, cacheWrite: 0, output: 9, reasoning: 0 },
}

function openMeter() {
  const log = createLogBook()
  const free: string[] = []
  let nowMs = 0
  const meter = createTextMeter({
    prices: { listModels: () => [] },
    rates: { tokensPerSecond: () => 50 },
    log,
    metrics: { usageFree: (model) => free.push(model) },
    clock: { nowMs: () => 0, monotonicMs: () => nowMs },
  })
  const measure = (route: TextRoute, asked?: TextRoute) => {
    const call = {
      ...{
        route,
        durationMs: 5,
        plan: { losses: [], body: '', countInput: () => 7 },
        command: { endpoint: 'messages', body: { value: {} } },
      },
      asked: asked === undefined ? undefined : { route: asked, fallbackPrice: undefined },
    }
    return meter.measure(END, call as unknown as MeteredCall & { durationMs: number })
  }
  const passMs = (ms: number) => {
    nowMs += ms
  }
  return { measure, log, free, passMs }
}

test('usage above zero at a price of zero is counted each time, and logged once a minute', () => {
  const { measure, log, free, passMs } = openMeter()
  for (const ms of [0, 59_999, 1]) {
    passMs(ms)
    expect(measure(FREE)).toMatchObject({ costMicros: 0, outputTokens: 9 })
  }
  expect(free).toEqual([NAME, NAME, NAME])
  expect(log.events).toEqual(['usage.free', 'usage.free'])
})

test('usage with a price is neither counted nor logged', () => {
  const { measure, log, free } = openMeter()
  measure(PRICED)
  expect({ free, events: log.events }).toEqual({ free: [], events: [] })
})

test('a fallback that serves is logged', () => {
  const { measure, log } = openMeter()
  measure(PRICED, { ...PRICED, name: 'a/first' })
  expect(log.events).toEqual(['fallback.served'])
})
