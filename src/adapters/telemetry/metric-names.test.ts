import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMetrics } from './prometheus.ts'

test('docs/operations.md lists every metric of the gateway, and no other', async () => {
  const metrics = createMetrics()
  metrics.watchBodies(() => 0)
  metrics.watchInFlight(() => 0)
  metrics.watchReplies(() => 0)
  metrics.watchStreams(() => 0)
  metrics.watchSockets(() => 0)
  const { body } = await metrics.render()
  const names = [...body.matchAll(/^# HELP (sluice_\w+) /gm)].map(([, name]) => name)
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const [section = ''] = page.split('## Metrics\n').slice(1)
  const listed = [...section.matchAll(/^\| `(sluice_\w+)` /gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(names.toSorted())
})
