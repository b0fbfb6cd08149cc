import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createFunded } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { accept, begin, beginAccepted, coreOf, sampleMove, sampleTask, submitting } from './sample-task.ts'

export function describeTaskClaims(opened: GetOpened): void {
  const store = () => opened().store
  const tasks = () => store().tasks
  const NOW_MS = MORNING_MS + 10_000
  const LEASE_MS = 60_000
  const ACCEPTED_FENCE = 1
  const claim = ({ provider = 'vendorA', nowMs = NOW_MS, limit = 10 } = {}) =>
    tasks().claimDue({ provider, nowMs, leaseUntilMs: nowMs + LEASE_MS, limit })
  const claimIds = async (options: Parameters<typeof claim>[0] = {}) =>
    (await claim(options)).map(({ id }) => id).toSorted()

  describe('claiming tasks', () => {
    beforeEach(() => createFunded(store(), { balance: 10_000 }))

    test('leaves alone what is not due, has ended, or is of another provider', async () => {
      await begin(store(), { id: 'task_later', nextPollAtMs: NOW_MS + 1 })
      await begin(store(), { id: 'task_ended' })
      await tasks().move(sampleMove('failed', { id: 'task_ended' }))
      await begin(store(), { id: 'task_other', provider: 'vendorB' })
      expect(await claim()).toEqual([])
      expect(await claimIds({ provider: 'vendorB' })).toEqual(['task_other'])
    })

    test('hands out whole tasks, also those that are still being submitted', async () => {
      await begin(store(), { nextPollAtMs: NOW_MS })
      expect(await claim()).toStrictEqual([{ ...coreOf(submitting(sampleTask())), fence: 1 }])
    })

    test('reads no metadata: 60 tasks with a megabyte each of it are claimed at once', async () => {
      const ids = Array.from({ length: 60 }, (_, number) => `task_${100 + number}`)
      for (const id of ids) await beginAccepted(store(), { id })
      const wide = `{"list":[${'{},'.repeat(349_000)}{}]}`
      await opened().runSql(`update video_tasks set metadata = '${wide}'`)
      expect(await claimIds({ limit: 128 })).toEqual(ids)
    })

    test('takes those that are due longest', async () => {
      for (const number of [3, 1, 2]) {
        await begin(store(), { id: `task_${number}`, nextPollAtMs: MORNING_MS + number })
      }
      expect(await claimIds({ limit: 2 })).toEqual(['task_1', 'task_2'])
      expect(await claimIds({ limit: 2 })).toEqual(['task_3'])
    })

    test('hands nothing out again before the lease is over, and then with the next fence', async () => {
      await beginAccepted(store())
      expect(await claim()).toMatchObject([{ fence: ACCEPTED_FENCE + 1 }])
      expect(await claim({ nowMs: NOW_MS + LEASE_MS - 1 })).toEqual([])
      expect(await claim({ nowMs: NOW_MS + LEASE_MS })).toMatchObject([{ fence: ACCEPTED_FENCE + 2 }])
    })

    test('a task is given back with its next moment', async () => {
      await beginAccepted(store())
      await claim()
      await tasks().reschedule([
        { id: 'task_1', fence: ACCEPTED_FENCE + 1, nextPollAtMs: NOW_MS + 500, seenAtMs: null },
      ])
      expect(await claim({ nowMs: NOW_MS + 499 })).toEqual([])
      expect(await claim({ nowMs: NOW_MS + 500 })).toMatchObject([{ fence: ACCEPTED_FENCE + 2 }])
    })

    test('many are given back at once, each with its own moment, and the word that nothing has changed', async () => {
      const numbers = Array.from({ length: 75 }, (_, number) => number)
      for (const number of numbers) await beginAccepted(store(), { id: `task_${number}` })
      await claim({ limit: 100 })
      await tasks().reschedule(
        numbers.map((number) => ({
          id: `task_${number}`,
          fence: ACCEPTED_FENCE + 1,
          nextPollAtMs: NOW_MS + number,
          seenAtMs: number === 7 ? NOW_MS : null,
        })),
      )
      const due = await claim({ nowMs: NOW_MS + 40, limit: 100 })
      expect(due).toHaveLength(41)
      const seen = due.filter(({ updatedAtMs }) => updatedAtMs !== null)
      expect(seen).toMatchObject([{ id: 'task_7', updatedAtMs: NOW_MS }])
    })

    test('who has an old fence changes nothing', async () => {
      await beginAccepted(store())
      await claim()
      await claim({ nowMs: NOW_MS + LEASE_MS })
      await tasks().reschedule([
        { id: 'task_1', fence: ACCEPTED_FENCE + 1, nextPollAtMs: 0, seenAtMs: null },
        { id: 'task_9', fence: ACCEPTED_FENCE + 1, nextPollAtMs: 0, seenAtMs: null },
      ])
      expect(await claim({ nowMs: NOW_MS + LEASE_MS + 1 })).toEqual([])
    })

    test('the acceptance sets the next moment', async () => {
      await beginAccepted(store(), { nextPollAtMs: MORNING_MS })
      expect(await claim({ nowMs: MORNING_MS + 6_999 })).toEqual([])
      expect(await claimIds({ nowMs: MORNING_MS + 7_000 })).toEqual(['task_1'])
    })

    test('who claimed it before the acceptance cannot put it off afterwards', async () => {
      await begin(store(), { nextPollAtMs: MORNING_MS })
      expect(await claim({ nowMs: MORNING_MS })).toMatchObject([{ status: 'submitting', fence: 1 }])
      await accept(store())
      await tasks().reschedule([{ id: 'task_1', fence: 1, nextPollAtMs: NOW_MS + LEASE_MS, seenAtMs: null }])
      expect(await claimIds({ nowMs: MORNING_MS + 7_000 })).toEqual(['task_1'])
    })
  })
}
