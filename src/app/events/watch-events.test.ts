import { expect, test } from 'vitest'
import type { EventStore } from '../../ports/events.ts'
import type { BreakerHealth, ProviderHealth } from '../../ports/installation.ts'
import { watchEvents } from './watch-events.ts'

type Calls = [name: string, argument: unknown][]

/** A store that records what is reported. */
function recordingEvents(calls: Calls): EventStore {
  const record = (name: string) => async (argument: unknown) => void calls.push([name, argument])
  return new Proxy({}, { get: (_target, name) => record(String(name)) }) as EventStore
}

function openWatch({ freeBytes = 50 }: { freeBytes?: number } = {}) {
  const calls: Calls = []
  let nowMs = Date.UTC(2026, 10, 18, 9)
  let states: BreakerHealth['state'][] = []
  const refused = new Set<string>()
  const breaker = (state: BreakerHealth['state']) =>
    ({ organizationId: null, state }) as Partial<BreakerHealth> as BreakerHealth
  const watch = watchEvents({
    events: recordingEvents(calls),
    calendar: { dayAt: (ms: number) => new Date(ms).toISOString().slice(0, 10), endOf: () => 0 } as never,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    refused,
    listHealth: () => [{ name: 'one', breakers: states.map(breaker) } as Partial<ProviderHealth> as never],
    readDiskSpace: async () => ({ freeBytes, totalBytes: 100 }),
  })
  const of = (name: string) => calls.filter(([each]) => each === name).map(([, argument]) => argument)
  return {
    refused,
    of,
    async pass(next: BreakerHealth['state'][] = [], ms = 3_000) {
      states = next
      nowMs += ms
      await watch()
    },
  }
}

test('a provider is reported when its breaker opens and when all its breakers are closed, but not in between', async () => {
  const { pass, of } = openWatch()
  await pass([])
  for (const state of ['open', 'open', 'half-open', 'open', 'closed', 'closed'] as const) await pass([state])
  expect(of('reportOutages')).toMatchObject([
    { down: [], up: [] },
    { down: ['one'], up: [] },
    { down: [], up: ['one'] },
  ])
})

test('a provider that stays down is reported again every minute, so that other replicas do not forget it', async () => {
  const { pass, of } = openWatch()
  for (let times = 0; times < 3; times += 1) await pass(['open'], 60_000)
  expect(of('reportOutages')).toMatchObject([{ down: ['one'] }, { down: ['one'] }, { down: ['one'] }])
})

test('organizations that were refused are reported once and then forgotten', async () => {
  const { pass, of, refused } = openWatch()
  refused.add('org_1')
  await pass()
  await pass()
  expect(of('reportBalances')).toMatchObject([{ refused: ['org_1'] }, { refused: [] }])
})

test.each([
  [9, 1],
  [10, 0],
])('with %i % of the disk free, %i event is written', async (freeBytes, count) => {
  const { pass, of } = openWatch({ freeBytes })
  await pass()
  expect(of('add')).toHaveLength(count)
})
