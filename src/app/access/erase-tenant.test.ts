import { expect, test } from 'vitest'
import { createMemoryCache } from '../../adapters/memory/memory-cache.ts'
import type { NewAudit } from '../../ports/audit.ts'
import { replayShareOf } from '../text/replay/replay-replies.ts'
import { itemShareOf } from '../text/vendor-state/recent-items.ts'
import { repeatErasures } from './erase-tenant.ts'

const HOUR_MS = 3_600_000
const BEGIN_MS = 100 * HOUR_MS

/** A process with its own cache, and what another process has erased. */
function openProcess() {
  let nowMs = BEGIN_MS
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const cache = createMemoryCache({ clock, maxBytes: 10_000, log: undefined as never })
  const rows: Partial<NewAudit>[] = []
  const audit = {
    list: async ({ action = '', fromMs = 0 }) =>
      rows.filter((row) => row.action === action && (row.atMs ?? 0) >= fromMs) as NewAudit[],
  }
  const sharesOf = (id: string) => [replayShareOf(id), itemShareOf(id)]
  return {
    repeat: repeatErasures({ audit, cache, clock }),
    passTime(ms: number) {
      nowMs += ms
    },
    erase: (subject: string) =>
      void rows.push(
        { action: 'organization.erase', subject, atMs: nowMs },
        { action: 'x', subject: 'org_2' },
      ),
    async keep(id: string) {
      for (const name of sharesOf(id))
        await cache.set(`${name}:1`, 'reply', { ttlMs: 24 * HOUR_MS, share: { name, bytesMax: 1_000 } })
    },
    async kept(id: string) {
      const values = await Promise.all(sharesOf(id).map((name) => cache.get(`${name}:1`)))
      return values.filter((value) => value !== undefined).length
    },
  }
}

test('replies in the memory of a process disappear when another process erases their organization', async () => {
  const { repeat, erase, keep, kept } = openProcess()
  for (const id of ['org_1', 'org_2']) await keep(id)
  await repeat()
  expect(await kept('org_1')).toBe(2)
  erase('org_1')
  await repeat()
  expect([await kept('org_1'), await kept('org_2')]).toEqual([0, 2])
})

test('a reply that ends within an hour after the erasure disappears too', async () => {
  const { repeat, erase, keep, kept, passTime } = openProcess()
  erase('org_1')
  await repeat()
  for (const minutes of [1, 58]) {
    passTime(minutes * 60_000)
    await keep('org_1')
    await repeat()
    expect(await kept('org_1')).toBe(0)
  }
})
