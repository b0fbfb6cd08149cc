import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import type { TextFigures } from '../../ports/usage.ts'
import { registerMetrics } from './metric-table.ts'
import { countCachedInput, countHangUps } from './text-metrics.ts'

async function linesOf(registry: Registry, name = 'sluice_text_replies_total'): Promise<string[]> {
  const text = await registry.metrics()
  return text.split('\n').filter((line) => line.startsWith(name))
}

test('replies are counted by key, with those that the client left', async () => {
  const registry = new Registry()
  const hangUps = countHangUps(registerMetrics(registry))
  for (const isHungUp of [true, false, true]) hangUps.record('key_a', isHungUp)
  hangUps.record('key_b', false)
  hangUps.flush()
  hangUps.flush()
  expect(await linesOf(registry)).toEqual([
    'sluice_text_replies_total{key="key_a",hung_up="true"} 2',
    'sluice_text_replies_total{key="key_a",hung_up="false"} 1',
    'sluice_text_replies_total{key="key_b",hung_up="false"} 1',
  ])
})

test('keys beyond the bound are counted together', async () => {
  const registry = new Registry()
  const hangUps = countHangUps(registerMetrics(registry))
  for (let key = 0; key < 2_000; key += 1) hangUps.record(`key_${key}`, false)
  hangUps.record('key_0', true)
  hangUps.record('key_1999', true)
  hangUps.flush()
  const lines = await linesOf(registry)
  expect(lines).toHaveLength(503)
  expect(lines).toContain('sluice_text_replies_total{key="others",hung_up="false"} 1500')
  expect(lines).toContain('sluice_text_replies_total{key="others",hung_up="true"} 1')
  expect(lines).toContain('sluice_text_replies_total{key="key_0",hung_up="true"} 1')
})

describe('input tokens by key and model', () => {
  const NAME = 'sluice_text_input_tokens_total'
  const used = (model: string): TextFigures => ({
    ...{ model, askedModel: model, provider: 'acme', firstByteMs: 1, durationMs: 2 },
    ...{ inputTokens: 5, cachedInputTokens: 30, cacheWriteTokens: 10, outputTokens: 7 },
    ...{ operation: 'messages', outcome: 'completed' },
    costMicros: micros(1),
  })

  test('tokens that the vendor read from its cache are counted separately', async () => {
    const registry = new Registry()
    const counts = countCachedInput(registerMetrics(registry))
    counts.record('key_a', used('acme/m'))
    counts.record('key_a', used('acme/m'))
    counts.record('key_a', used('acme/n'))
    counts.flush()
    counts.flush()
    expect(await linesOf(registry, NAME)).toEqual([
      `${NAME}{key="key_a",model="acme/m",cached="true"} 60`,
      `${NAME}{key="key_a",model="acme/m",cached="false"} 30`,
      `${NAME}{key="key_a",model="acme/n",cached="true"} 30`,
      `${NAME}{key="key_a",model="acme/n",cached="false"} 15`,
    ])
  })

  test('pairs beyond the bound are counted together', async () => {
    const registry = new Registry()
    const counts = countCachedInput(registerMetrics(registry))
    for (let key = 0; key < 1_100; key += 1) counts.record(`key_${key}`, used('acme/m'))
    counts.flush()
    const lines = await linesOf(registry, NAME)
    expect(lines).toHaveLength(2_002)
    expect(lines).toContain(`${NAME}{key="others",model="others",cached="true"} 3000`)
  })
})
