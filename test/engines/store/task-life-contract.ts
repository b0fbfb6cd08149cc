import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createFunded, readMoney, TODAY } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import {
  accept,
  begin,
  beginAccepted,
  coreOf,
  HELD,
  sampleMove,
  sampleTask,
  submitting,
} from './sample-task.ts'

export function describeTaskLife(opened: GetOpened): void {
  const store = () => opened().store
  const tasks = () => store().tasks
  const task = async (id = 'task_1') => (await tasks().findForOperator(id)) ?? expect.fail(`no ${id}`)
  const move = (...args: Parameters<typeof sampleMove>) => tasks().move(sampleMove(...args))
  const money = () => readMoney(store())
  const usedToday = async () => (await store().ledger.readDay({ userId: 'usr_1', day: TODAY })).usedMicros
  const holdState = async () => (await opened().runSql('select state from holds'))[0]?.state
  const callbacks = () => opened().runSql('select id, task_id, state from video_callbacks order by id')

  describe('the life of a task', () => {
    beforeEach(() => createFunded(store(), { balance: 1_000 }))
    afterEach(async () => {
      expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    describe('begin', () => {
      test('refuses a hold above the balance, and stores nothing', async () => {
        expect(await begin(store(), {}, { hold: { amount: 1_001 } })).toEqual({
          ...{ kind: 'insufficient-balance', availableMicros: 1_000 },
        })
        expect(await tasks().findForOperator('task_1')).toBeUndefined()
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await usedToday()).toBe(0)
      })

      test('throws for an unknown organization', async () => {
        await expect(begin(store(), { organizationId: 'org_9' })).rejects.toThrow()
        expect(await tasks().findForOperator('task_1')).toBeUndefined()
      })

      test('throws for a used id, or a used token of a notice', async () => {
        await begin(store(), { noticeTokenDigest: 'digest-1' })
        await expect(begin(store(), {}, { hold: { id: 'hold_2' } })).rejects.toThrow()
        await expect(begin(store(), { id: 'task_2', noticeTokenDigest: 'digest-1' })).rejects.toThrow()
        expect(await money()).toEqual({ balance: 1_000, held: HELD })
      })

      test('keeps the task as submitting, with its hold and its day', async () => {
        expect(await begin(store())).toEqual({
          kind: 'begun',
          day: { userId: 'usr_1', day: TODAY, deltaMicros: HELD, version: 1 },
        })
        expect(await task()).toStrictEqual({
          ...coreOf(submitting(sampleTask())),
          hasCallbackUrl: true,
          setAsideAtMs: null,
          holdMicros: HELD,
          chargedMicros: null,
          refundedMicros: 0,
          callbackState: null,
        })
        expect(await money()).toEqual({ balance: 1_000, held: HELD })
      })
    })

    describe('accept', () => {
      test('returns nothing for an unknown task', async () => {
        expect(await accept(store())).toEqual({ kind: 'no-task' })
      })

      test('does not change a task that is no longer submitting', async () => {
        await begin(store())
        await move('failed')
        const before = await task()
        expect(await accept(store())).toMatchObject({
          kind: 'unchanged',
          task: { status: 'failed', encryptedTicket: null },
        })
        expect(await task()).toEqual(before)
      })

      test('a second time finds the same ticket, so that a repeated call is recognized', async () => {
        await beginAccepted(store())
        expect(await accept(store())).toMatchObject({
          kind: 'unchanged',
          task: { status: 'queued', encryptedTicket: 'sealed-ticket-task_1' },
        })
      })

      test.each(['queued', 'running'] as const)('accepts the task as %s', async (status) => {
        await begin(store())
        const accepted = {
          ...submitting(sampleTask()),
          status,
          encryptedTicket: 'sealed-ticket-task_1',
        }
        expect(await accept(store(), sampleMove(status))).toStrictEqual({
          kind: 'moved',
          task: { ...coreOf(accepted), encryptedContent: null },
          ended: false,
          day: undefined,
          lossMicros: 0,
        })
        expect(await tasks().find({ id: 'task_1', keyId: 'key_1' })).toStrictEqual(accepted)
        expect(await holdState()).toBe('open')
      })

      test('may find an ended task, and settles it', async () => {
        await begin(store())
        expect(await accept(store(), sampleMove('succeeded'))).toMatchObject({
          kind: 'moved',
          ended: true,
          day: { deltaMicros: 60 - HELD },
          task: {
            status: 'succeeded',
            encryptedContent: 'sealed-content',
            completedAtMs: MORNING_MS + 1_000,
            updatedAtMs: null,
          },
        })
        expect(await money()).toEqual({ balance: 940, held: 0 })
        expect(await callbacks()).toEqual([
          { id: 'msg_task_1_succeeded', task_id: 'task_1', state: 'pending' },
        ])
      })

      test('releases the hold of an immediate failure', async () => {
        await begin(store())
        expect(await accept(store(), sampleMove('failed'))).toMatchObject({ kind: 'moved', ended: true })
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await holdState()).toBe('released')
      })
    })

    describe('forget', () => {
      const forget = () => tasks().forget({ id: 'task_1', atMs: MORNING_MS + 1 })

      test('does not change a missing, an accepted or a failed task', async () => {
        expect(await forget()).toBeUndefined()
        await beginAccepted(store())
        expect(await forget()).toBeUndefined()
        expect((await task()).status).toBe('queued')
        await move('failed')
        expect(await forget()).toBeUndefined()
        expect((await task()).status).toBe('failed')
      })

      test('deletes the task and releases the hold', async () => {
        await begin(store())
        expect(await forget()).toEqual({ userId: 'usr_1', day: TODAY, deltaMicros: -HELD, version: 2 })
        expect(await tasks().findForOperator('task_1')).toBeUndefined()
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await holdState()).toBe('released')
      })
    })
  })
}
