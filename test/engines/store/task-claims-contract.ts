import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
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
  const claimAll = ({
    provider = 'vendorA',
    nowMs = NOW_MS,
    limit = 10,
    ...more
  }: Partial<Parameters<Store['tasks']['claimDue']>[0]> = {}) =>
    tasks().claimDue({ provider, nowMs, leaseUntilMs: nowMs + LEASE_MS, limit, ...more })
  const claim = async (options: Parameters<typeof claimAll>[0] = {}) => (await claimAll(options)).tasks
  const claimIds = async (options: Parameters<typeof claim>[0] = {}) =>
    (await claim(options)).map(({ id }) => id).toSorted()

  describe('claiming tasks', () => {
    beforeEach(() => createFunded(store(), { balance: 10_000 }))

    test('skips rows that are not due, have ended, or belong to another provider', async () => {
      await begin(store(), { id: 'task_later', nextPollAtMs: NOW_MS + 1 })
      await begin(store(), { id: 'task_ended' })
      await tasks().move(sampleMove('failed', { id: 'task_ended' }))
      await begin(store(), { id: 'task_other', provider: 'vendorB' })
      expect(await claim()).toEqual([])
      expect(await claimIds({ provider: 'vendorB' })).toEqual(['task_other'])
    })

    test('claims whole tasks, also tasks that are still being submitted', async () => {
      await begin(store(), { nextPollAtMs: NOW_MS })
      expect(await claim()).toStrictEqual([{ ...coreOf(submitting(sampleTask())), fence: 1 }])
    })

    test('reads no metadata: 60 tasks with a megabyte of metadata each are claimed in one call', async () => {
      const ids = Array.from({ length: 60 }, (_, number) => `task_${100 + number}`)
      for (const id of ids) await beginAccepted(store(), { id })
      const wide = `{"list":[${'{},'.repeat(349_000)}{}]}`
      await opened().runSql(`update video_tasks set metadata = '${wide}'`)
      expect(await claimIds({ limit: 128 })).toEqual(ids)
    })

    test('reads no value that is too long, and names unreadable rows', async () => {
      for (const id of ['task_bad', 'task_good', 'task_long', 'task_odd'])
        await beginAccepted(store(), { id })
      const long = 'x'.repeat(70_000)
      await opened().runSql(`update video_tasks set pricing = '{' where id = 'task_bad'`)
      await opened().runSql(`update video_tasks set pricing = '"${long}"' where id = 'task_long'`)
      await opened().runSql(`update video_tasks set sealed_ticket = '${long}' where id = 'task_odd'`)
      const { tasks: read, unreadable } = await claimAll()
      expect(read).toMatchObject([{ id: 'task_good' }])
      expect(unreadable.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(
        ['task_bad', 'task_long', 'task_odd'].map((id) => ({ id, organizationId: 'org_1' })),
      )
    })

    test('skips tasks that are set aside, until they are resumed', async () => {
      for (const id of ['task_1', 'task_2']) await beginAccepted(store(), { id })
      await tasks().setAside({ id: 'task_1', atMs: NOW_MS })
      expect(await tasks().findForOperator('task_1')).toMatchObject({ setAsideAtMs: NOW_MS })
      expect(await tasks().countSetAside()).toBe(1)
      expect(await claimIds()).toEqual(['task_2'])
      expect(await tasks().resume({ id: 'task_1', atMs: NOW_MS }, undefined)).toBe('task_1')
      expect(await tasks().resume({ id: 'task_1', atMs: NOW_MS }, undefined)).toBeUndefined()
      expect(await tasks().countSetAside()).toBe(0)
      expect(await claimIds()).toEqual(['task_1'])
    })

    test('a task that is set aside can still end, and is then no longer counted', async () => {
      await beginAccepted(store())
      await tasks().setAside({ id: 'task_1', atMs: NOW_MS })
      expect(await tasks().move(sampleMove('failed'))).toMatchObject({ kind: 'moved', ended: true })
      expect(await tasks().countSetAside()).toBe(0)
    })

    test('open work: tasks by status, how late the first poll is, and the money that is held', async () => {
      expect(await store().deployment.countOpenWork({ nowMs: NOW_MS })).toEqual({
        openTasks: { submitting: 0, queued: 0, running: 0 },
        latePollMs: 0,
        holds: { task: { count: 0, amountMicros: 0 }, allowance: { count: 0, amountMicros: 0 } },
      })
      await begin(store(), { id: 'task_1', nextPollAtMs: NOW_MS - 7_000 })
      await beginAccepted(store(), { id: 'task_2' })
      for (const id of ['task_aside', 'task_ended']) await beginAccepted(store(), { id })
      await tasks().setAside({ id: 'task_aside', atMs: NOW_MS })
      await tasks().move(sampleMove('failed', { id: 'task_ended' }))
      const { openTasks, latePollMs, holds } = await store().deployment.countOpenWork({ nowMs: NOW_MS })
      expect(openTasks).toEqual({ submitting: 1, queued: 1, running: 0 })
      expect(latePollMs).toBeGreaterThanOrEqual(7_000)
      expect(holds.task.count).toBe(3)
      const organization = await store().organizations.find('org_1')
      expect(holds.task.amountMicros).toBe(organization?.heldMicros)
    })

    test('putOffNext postpones the task that a claim would take next', async () => {
      for (const [id, nextPollAtMs] of [
        ['task_1', MORNING_MS + 2],
        ['task_2', MORNING_MS + 1],
      ] as const) {
        await begin(store(), { id, nextPollAtMs })
      }
      const next = { provider: 'vendorA', nowMs: NOW_MS, untilMs: NOW_MS + 10_000 }
      expect(await tasks().putOffNext(next)).toEqual({ id: 'task_2', organizationId: 'org_1' })
      expect(await tasks().putOffNext(next)).toEqual({ id: 'task_1', organizationId: 'org_1' })
      expect(await tasks().putOffNext(next)).toBeUndefined()
      expect(await claimIds()).toEqual([])
      expect((await claimIds({ nowMs: NOW_MS + 10_000 })).toSorted()).toEqual(['task_1', 'task_2'])
      expect(await tasks().countSetAside()).toBe(0)
    })

    describe('of several organizations', () => {
      const share = (part: object) => ({ share: { perOrganizationMax: 100, inHand: {}, after: '', ...part } })
      const countsOf = (claimed: readonly { organizationId: string }[]) =>
        Object.fromEntries(
          [...Map.groupBy(claimed, ({ organizationId }) => organizationId)].map(([id, own]) => [
            id,
            own.length,
          ]),
        )
      async function beginMany(organizationId: string, count: number, atMs: number): Promise<void> {
        if (organizationId !== 'org_1') await createFunded(store(), { id: organizationId, balance: 10_000 })
        for (let number = 0; number < count; number += 1) {
          const id = `task_${organizationId}_${number}`
          await begin(store(), { id, organizationId, nextPollAtMs: atMs + number })
        }
      }

      test('each gets its share, even if others have been due for longer', async () => {
        await beginMany('org_1', 20, MORNING_MS)
        await beginMany('org_2', 1, MORNING_MS + 5_000)
        const first = await claimAll({ limit: 8 })
        expect(countsOf(first.tasks)).toEqual({ org_1: 4, org_2: 1 })
        expect(first.more).toBe('')
        const second = await claimAll({ limit: 100 })
        expect(countsOf(second.tasks)).toEqual({ org_1: 16 })
        expect(second.more).toBeUndefined()
      })

      test('organizations with a full share get no more, and others do not wait for them', async () => {
        await beginMany('org_1', 6, MORNING_MS)
        await beginMany('org_2', 2, MORNING_MS)
        const { tasks: some, more } = await claimAll({
          limit: 8,
          ...share({ perOrganizationMax: 4, inHand: { org_1: 3, org_2: 4 } }),
        })
        expect(countsOf(some)).toEqual({ org_1: 1 })
        expect(more).toBe('')
        const none = await claimAll({
          limit: 8,
          ...share({ perOrganizationMax: 4, inHand: { org_1: 4, org_2: 4 } }),
        })
        expect(none).toEqual({ tasks: [], unreadable: [], more: undefined })
      })

      test('more organizations than fit into a claim take turns', async () => {
        const names = ['org_1', 'org_2', 'org_3', 'org_4', 'org_5']
        for (const id of names) await beginMany(id, 3, MORNING_MS)
        let after = ''
        const turns: string[] = []
        for (let round = 0; round < 5; round += 1) {
          const { tasks: two, more } = await claimAll({ limit: 2, ...share({ after }) })
          turns.push(...two.map(({ organizationId }) => organizationId).toSorted())
          after = more ?? expect.fail('something is still due')
        }
        expect(turns.slice(0, 5)).toEqual(names)
        expect(turns.slice(5)).toEqual(['org_5', ...names.slice(0, 4)])
      })
    })

    test('claims the tasks that have been due longest', async () => {
      for (const number of [3, 1, 2]) {
        await begin(store(), { id: `task_${number}`, nextPollAtMs: MORNING_MS + number })
      }
      expect(await claimIds({ limit: 2 })).toEqual(['task_1', 'task_2'])
      expect(await claimIds({ limit: 2 })).toEqual(['task_3'])
    })

    test('claims nothing again before the lease is over, and then with the next fence', async () => {
      await beginAccepted(store())
      expect(await claim()).toMatchObject([{ fence: ACCEPTED_FENCE + 1 }])
      expect(await claim({ nowMs: NOW_MS + LEASE_MS - 1 })).toEqual([])
      expect(await claim({ nowMs: NOW_MS + LEASE_MS })).toMatchObject([{ fence: ACCEPTED_FENCE + 2 }])
    })

    test('a task is rescheduled to its next moment', async () => {
      await beginAccepted(store())
      await claim()
      await tasks().reschedule([
        { id: 'task_1', fence: ACCEPTED_FENCE + 1, nextPollAtMs: NOW_MS + 500, seenAtMs: null },
      ])
      expect(await claim({ nowMs: NOW_MS + 499 })).toEqual([])
      expect(await claim({ nowMs: NOW_MS + 500 })).toMatchObject([{ fence: ACCEPTED_FENCE + 2 }])
    })

    test('many are rescheduled in one call, each to its own moment, and some with the time of an unchanged poll', async () => {
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

    test('an old fence changes nothing', async () => {
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

    test('a claim from before the acceptance cannot put the task off afterwards', async () => {
      await begin(store(), { nextPollAtMs: MORNING_MS })
      expect(await claim({ nowMs: MORNING_MS })).toMatchObject([{ status: 'submitting', fence: 1 }])
      await accept(store())
      await tasks().reschedule([{ id: 'task_1', fence: 1, nextPollAtMs: NOW_MS + LEASE_MS, seenAtMs: null }])
      expect(await claimIds({ nowMs: MORNING_MS + 7_000 })).toEqual(['task_1'])
    })
  })
}
