import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import type { TextFigures } from '../../ports/usage.ts'
import { registerMetrics } from './metric-table.ts'
import { countText } from './text-metrics.ts'

const USAGE: TextFigures = {
  ...{
    operation: 'messages',
    model: 'a/m',
    askedModel: 'a/m',
    provider: 'a',
    outcome: 'completed',
    firstByteMs: 200,
    durationMs: 2_000,
  },
  ...{ inputTokens: 10, cachedInputTokens: 5, cacheWriteTokens: 2, outputTokens: 100 },
  costMicros: micros(1_234),
}

async function scrape(count: (text: ReturnType<typeof countText>) => void): Promise<string> {
  const registry = new Registry()
  const text = countText(registerMetrics(registry))
  count(text)
  text.flush()
  return registry.metrics()
}

test('a reply counts once: its tokens by kind, 1,234 micros, 0.2 s to the first token, 50 tokens a second', async () => {
  const body = await scrape((text) => text.record(USAGE))
  const of = 'model="a/m",provider="a"'
  for (const line of [
    `sluice_text_requests_total{${of},outcome="completed"} 1`,
    `sluice_text_tokens_total{${of},kind="input"} 10`,
    `sluice_text_tokens_total{${of},kind="cached_input"} 5`,
    `sluice_text_tokens_total{${of},kind="cache_write"} 2`,
    `sluice_text_tokens_total{${of},kind="output"} 100`,
    `sluice_text_cost_micros_total{${of}} 1234`,
    `sluice_text_first_token_seconds_bucket{le="0.2",${of}} 1`,
    `sluice_text_first_token_seconds_bucket{le="0.1",${of}} 0`,
    `sluice_text_output_tokens_per_second_bucket{le="50",${of}} 1`,
    `sluice_text_output_tokens_per_second_bucket{le="30",${of}} 0`,
  ])
    expect(body.split('\n')).toContain(line)
})

test('a reply without a byte has no time to its first token, and no speed', async () => {
  const body = await scrape((text) => text.record({ ...USAGE, firstByteMs: null, outputTokens: 0 }))
  expect(body).not.toContain('first_token_seconds_count{')
  expect(body).not.toContain('tokens_per_second_count{')
})

test('an error counts by its code', async () => {
  const body = await scrape((text) => text.metrics.textRefused({ ...USAGE, code: 'provider_unavailable' }))
  expect(body).toContain('sluice_text_errors_total{model="a/m",provider="a",code="provider_unavailable"} 1')
  expect(body).toContain('sluice_text_requests_total{model="a/m",provider="a",outcome="refused"} 1')
})

test('a reply that cannot be used counts by its code, and as one request', async () => {
  const body = await scrape((text) => {
    text.record({ ...USAGE, outcome: 'failed' })
    text.metrics.textReplyUnusable({
      model: USAGE.model,
      provider: USAGE.provider,
      code: 'summary_not_usable',
    })
  })
  const of = `model="${USAGE.model}",provider="${USAGE.provider}"`
  expect(body).toContain(`sluice_text_errors_total{${of},code="summary_not_usable"} 1`)
  expect(body).toContain(`sluice_text_requests_total{${of},outcome="failed"} 1`)
  expect(body).not.toContain('outcome="refused"')
})

test('1,300 replies of two providers add up by provider and outcome, to 1,234 micros each', async () => {
  const body = await scrape((text) => {
    for (let number = 0; number < 1_300; number++)
      text.record({
        ...USAGE,
        provider: number % 2 === 0 ? 'a' : 'b',
        outcome: number % 4 === 0 ? 'hung-up' : 'completed',
      })
  })
  for (const line of [
    'sluice_text_requests_total{model="a/m",provider="a",outcome="completed"} 325',
    'sluice_text_requests_total{model="a/m",provider="a",outcome="hung-up"} 325',
    'sluice_text_requests_total{model="a/m",provider="b",outcome="completed"} 650',
    'sluice_text_tokens_total{model="a/m",provider="b",kind="output"} 65000',
    `sluice_text_cost_micros_total{model="a/m",provider="a"} ${650 * 1_234}`,
    `sluice_text_cost_micros_total{model="a/m",provider="b"} ${650 * 1_234}`,
    'sluice_text_first_token_seconds_count{model="a/m",provider="a"} 650',
    'sluice_text_output_tokens_per_second_count{model="a/m",provider="b"} 650',
  ])
    expect(body.split('\n')).toContain(line)
})

test('models after the first 200 are counted together, and nothing is lost', async () => {
  const body = await scrape((text) => {
    for (let number = 0; number < 1_000; number++) text.record({ ...USAGE, model: `a/m${number}` })
  })
  const lines = body.split('\n').filter((line) => line.startsWith('sluice_text_cost_micros_total{'))
  expect(lines).toHaveLength(201)
  expect(lines).toContain(`sluice_text_cost_micros_total{model="other",provider="a"} ${800 * 1_234}`)
})
