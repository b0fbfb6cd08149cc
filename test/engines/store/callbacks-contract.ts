import { beforeEach, describe, expect, test } from 'vitest'
import type { CallbackStore } from '../../../src/ports/callbacks.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { beginAccepted, sampleMove } from './sample-task.ts'

export function describeCallbacks(opened: GetOpened): void {
  const store = () => opened().store
  const callbacks = () => store().callbacks
  const NOW_MS = MORNING_MS + 1_000
  const LEASE_MS = 60_000
  const claimAll = ({ nowMs = NOW_MS, limit = 10, full = [] as string[] } = {}) =>
    callbacks().claimDue({
      nowMs,
      leaseUntilMs: nowMs + LEASE_MS,
      limit,
      share: { perOrganizationMax: 8, inHand: Object.fromEntries(full.map((id) => [id, 8])), after: '' },
    })
  const claim = async (options: Parameters<typeof claimAll>[0] = {}) => (await claimAll(options)).due
  const state = async (id = 'task_1') => (await store().tasks.findForOperator(id))?.callbackState
  const attemptsOf = (taskId: string | undefined, limit = 10) => callbacks().listAttempts({ taskId, limit })

  type Recorded = Parameters<CallbackStore['recordAttempt']>[0]
  const record = (number: number, part: Partial<Recorded> = {}) =>
    callbacks().recordAttempt({
      callbackId: 'msg_task_1_succeeded',
      fence: number,
      attempt: { taskId: 'task_1', attempt: number, atMs: NOW_MS + number, status: 500, error: null },
      outcome: 'again',
      nextAttemptAtMs: NOW_MS + number * 1_000,
      ...part,
    })

  async function end(id: string, part: { organizationId?: string; atMs?: number } = {}): Promise<void> {
    const { organizationId = 'org_1', atMs = NOW_MS } = part
    await beginAccepted(store(), { id, organizationId })
    await store().tasks.move(sampleMove('succeeded', { id, atMs }))
  }

  describe('callbacks', () => {
    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await end('task_1')
    })

    test('are not due before the task ends, nor before their moment', async () => {
      await beginAccepted(store(), { id: 'task_2' })
      expect(await claim({ nowMs: NOW_MS - 1 })).toEqual([])
      expect(await claim()).toHaveLength(1)
    })

    test('are due immediately, and each claim counts an attempt', async () => {
      expect(await claim()).toStrictEqual([
        {
          id: 'msg_task_1_succeeded',
          taskId: 'task_1',
          organizationId: 'org_1',
          attempt: 1,
          attemptsLeft: 2,
          fence: 1,
          retryUntilMs: null,
        },
      ])
      expect(await state()).toBe('pending')
    })

    test('are not handed out again before the lease is over', async () => {
      await claim()
      expect(await claim({ nowMs: NOW_MS + LEASE_MS - 1 })).toEqual([])
      expect(await claim({ nowMs: NOW_MS + LEASE_MS })).toMatchObject([
        { attempt: 2, attemptsLeft: 1, fence: 2 },
      ])
    })

    test('are given up, and not sent a fourth time, when every sender died', async () => {
      for (const attempt of [1, 2, 3]) {
        expect(await claim({ nowMs: NOW_MS + attempt * LEASE_MS })).toMatchObject([{ attempt }])
      }
      expect(await state()).toBe('pending')
      expect(await claimAll({ nowMs: NOW_MS + 4 * LEASE_MS })).toStrictEqual({
        due: [],
        abandoned: [{ id: 'msg_task_1_succeeded', taskId: 'task_1', organizationId: 'org_1' }],
        more: undefined,
      })
      expect(await state()).toBe('given-up')
      expect(await claimAll({ nowMs: NOW_MS + 5 * LEASE_MS })).toEqual({ due: [], abandoned: [] })
      const unknown = { taskId: 'task_1', status: null, error: 'unknown' }
      expect(await attemptsOf('task_1')).toStrictEqual(
        [1, 2, 3].map((attempt) => ({ ...unknown, attempt, atMs: NOW_MS + attempt * LEASE_MS })),
      )
    })

    describe('returned because nothing was sent', () => {
      const giveBack = (fence = 1) =>
        callbacks().giveBack({ callbackId: 'msg_task_1_succeeded', fence, nextAttemptAtMs: NOW_MS + 500 })

      test('have lost no attempt and are due at their new moment', async () => {
        await claim()
        await giveBack()
        expect(await attemptsOf('task_1')).toEqual([])
        expect(await claim({ nowMs: NOW_MS + 499 })).toEqual([])
        expect(await claim({ nowMs: NOW_MS + 500 })).toMatchObject([{ attempt: 1, attemptsLeft: 2 }])
      })

      test('a second time are unchanged', async () => {
        await claim()
        await giveBack()
        await giveBack()
        expect(await claim({ nowMs: NOW_MS + 500 })).toMatchObject([{ attempt: 1, attemptsLeft: 2 }])
      })

      test('are unchanged once another process has them', async () => {
        await claim()
        await claim({ nowMs: NOW_MS + LEASE_MS })
        await giveBack()
        expect(await attemptsOf('task_1')).toHaveLength(2)
        expect(await claim({ nowMs: NOW_MS + 2 * LEASE_MS })).toMatchObject([{ attempt: 3, attemptsLeft: 0 }])
      })
    })

    test('are due again when the attempt says so', async () => {
      await claim()
      await record(1)
      expect(await claim({ nowMs: NOW_MS + 999 })).toEqual([])
      expect(await claim({ nowMs: NOW_MS + 1_000 })).toMatchObject([{ attempt: 2, fence: 2 }])
    })

    test.each(['delivered', 'given-up'] as const)('are over once they are %s', async (outcome) => {
      await claim()
      await record(1, { outcome, nextAttemptAtMs: null })
      expect(await state()).toBe(outcome)
      expect(await claim({ nowMs: NOW_MS + 10 * LEASE_MS })).toEqual([])
    })

    test('an attempt with an old fence is stored without effect', async () => {
      await claim()
      await claim({ nowMs: NOW_MS + LEASE_MS })
      await record(1, { outcome: 'given-up', nextAttemptAtMs: null })
      expect(await state()).toBe('pending')
      expect(await claim({ nowMs: NOW_MS + LEASE_MS })).toEqual([])
      expect(await attemptsOf('task_1')).toMatchObject([
        { attempt: 1, status: 500, error: null },
        { attempt: 2, status: null, error: 'unknown' },
      ])
    })

    test('an attempt is stored once', async () => {
      await claim()
      await record(1)
      await record(1, { outcome: 'delivered' })
      expect(await attemptsOf('task_1')).toStrictEqual([
        { taskId: 'task_1', attempt: 1, atMs: NOW_MS + 1, status: 500, error: null },
      ])
    })

    test('the callbacks that have been due longest come first, and organizations with a full share are left out', async () => {
      await createFunded(store(), { id: 'org_2', balance: 1_000 })
      await end('task_2', { organizationId: 'org_2', atMs: NOW_MS - 1 })
      await end('task_3', { atMs: NOW_MS - 2 })
      const claimed = async (options: Parameters<typeof claim>[0]) =>
        (await claim(options)).map(({ taskId }) => taskId)
      expect(await claimed({ full: ['org_1', 'org_2'] })).toEqual([])
      expect(await claimed({ full: ['org_1'] })).toEqual(['task_2'])
      expect(await claimed({ limit: 1 })).toEqual(['task_3'])
      expect(await claimed({})).toEqual(['task_1'])
    })

    test('attempts are the latest, oldest first, of one task or of all', async () => {
      await end('task_2')
      for (const number of [1, 2, 3]) await record(number)
      const other = { taskId: 'task_2', attempt: 1, atMs: NOW_MS + 2, status: null, error: 'refused' }
      await record(1, { callbackId: 'msg_task_2_succeeded', attempt: other })
      const numbers = async (taskId: string | undefined, limit?: number) =>
        (await attemptsOf(taskId, limit)).map((attempt) => `${attempt.taskId} ${attempt.attempt}`)
      expect(await attemptsOf('task_2')).toStrictEqual([other])
      expect(await numbers('task_1')).toEqual(['task_1 1', 'task_1 2', 'task_1 3'])
      expect(await numbers('task_1', 2)).toEqual(['task_1 2', 'task_1 3'])
      expect(await numbers(undefined)).toEqual(['task_1 1', 'task_1 2', 'task_2 1', 'task_1 3'])
      expect(await numbers(undefined, 1)).toEqual(['task_1 3'])
      expect(await attemptsOf('task_9')).toEqual([])
    })

    describe('sent again', () => {
      const resend = (taskId = 'task_1') => callbacks().resend({ taskId, atMs: NOW_MS + 5 }, undefined)

      test('only if a callback exists', async () => {
        await beginAccepted(store(), { id: 'task_2' })
        expect(await resend('task_2')).toBeUndefined()
        expect(await resend('task_9')).toBeUndefined()
      })

      test('keep their id and their count, and get three more attempts', async () => {
        await claim()
        await record(1, { outcome: 'delivered', nextAttemptAtMs: null })
        expect(await resend()).toBe('task_1')
        expect(await state()).toBe('pending')
        expect(await claim({ nowMs: NOW_MS + 4 })).toEqual([])
        const seen = []
        for (let round = 1; round <= 4; round += 1)
          seen.push(...(await claim({ nowMs: NOW_MS + round * LEASE_MS })))
        expect(seen).toMatchObject(
          [2, 3, 4].map((attempt) => ({ id: 'msg_task_1_succeeded', attempt, attemptsLeft: 4 - attempt })),
        )
      })

      test('are not ended by their previous sender', async () => {
        await claim()
        await resend()
        await record(1, { outcome: 'given-up', nextAttemptAtMs: null })
        expect(await state()).toBe('pending')
        expect(await claim({ nowMs: NOW_MS + 5 })).toMatchObject([{ attempt: 2, attemptsLeft: 2 }])
      })
    })
  })
}
