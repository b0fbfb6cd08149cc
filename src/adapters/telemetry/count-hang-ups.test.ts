import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { countHangUps } from './text-metrics.ts'

async function linesOf(registry: Registry): Promise<string[]> {
  const text = await registry.metrics()
  return text.split('\n').filter((line) => line.startsWith('sluice_text_replies_total'))
}

test('replies are counted by key, with those that the client left', async () => {
  const registry = new Registry()
  const hangUps = countHangUps(registry)
  for (const isHungUp of [true, false, true]) hangUps.note('key_a', isHungUp)
  hangUps.note('key_b', false)
  hangUps.handOn()
  hangUps.handOn()
  expect(await linesOf(registry)).toEqual([
    'sluice_text_replies_total{key="key_a",hung_up="false"} 1',
    'sluice_text_replies_total{key="key_a",hung_up="true"} 2',
    'sluice_text_replies_total{key="key_b",hung_up="false"} 1',
  ])
})

test('keys beyond the bound are counted together', async () => {
  const registry = new Registry()
  const hangUps = countHangUps(registry)
  for (let key = 0; key < 2_000; key += 1) hangUps.note(`key_${key}`, false)
  hangUps.note('key_0', true)
  hangUps.note('key_1999', true)
  hangUps.handOn()
  const lines = await linesOf(registry)
  expect(lines).toHaveLength(503)
  expect(lines).toContain('sluice_text_replies_total{key="others",hung_up="false"} 1500')
  expect(lines).toContain('sluice_text_replies_total{key="others",hung_up="true"} 1')
  expect(lines).toContain('sluice_text_replies_total{key="key_0",hung_up="true"} 1')
})
