import { expect, test } from 'vitest'
import { dropOldRows } from './drop-old-rows.ts'

const NOON_MS = Date.UTC(2026, 10, 16, 12)

function setup(keptDays: { tasks: number; contentLinks: number; audits: number }, dropped: number[] = []) {
  const calls: unknown[] = []
  const step = (what: string) => async (pass: { beforeMs: number; limit: number }) => {
    calls.push([what, new Date(pass.beforeMs).toISOString()])
    return dropped.shift() ?? 0
  }
  const retention = {
    dropTasks: step('tasks'),
    dropContentLinks: step('links'),
    dropAudits: step('audits'),
  }
  const clock = { nowMs: () => NOON_MS, monotonicMs: () => 0 }
  const events = { dropOld: async () => 0 }
  return { calls, run: dropOldRows({ retention, events, clock, keptDays }) }
}

test('0 days keep everything', async () => {
  const { calls, run } = setup({ tasks: 0, contentLinks: 0, audits: 0 })
  await run()
  expect(calls).toEqual([])
})

test('days are whole days of UTC, and a full step is followed by another', async () => {
  const { calls, run } = setup({ tasks: 30, contentLinks: 2, audits: 0 }, [200, 3])
  await run()
  expect(calls).toEqual([
    ['tasks', '2026-10-17T00:00:00.000Z'],
    ['tasks', '2026-10-17T00:00:00.000Z'],
    ['links', '2026-11-14T00:00:00.000Z'],
  ])
})

test('a run drops one kind of row in at most 25 steps, even if old rows are left', async () => {
  const { calls, run } = setup({ tasks: 1, contentLinks: 0, audits: 0 }, Array(100).fill(200))
  await run()
  expect(calls).toHaveLength(25)
})
