import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { AttemptStart, HandOver } from '../../../src/ports/task-attempts.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, readMoney, sampleCost } from './sample-money.ts'
import { MORNING_MS, sampleAudit } from './sample-rows.ts'
import { accept, begin, beginAccepted, HELD, sampleMove } from './sample-task.ts'

const STAND_INS = ['vendorB/gen-v4-std', 'vendorA/gen-2.0-fast']

export function describeTaskHandOver(opened: GetOpened): void {
  const store = () => opened().store
  const tasks = () => store().tasks
  const task = async () => (await tasks().findForOperator('task_1')) ?? expect.fail('no task')
  const claim = async (provider: string) => {
    const nowMs = MORNING_MS + 10_000
    const found = await tasks().claimDue({ provider, nowMs, leaseUntilMs: nowMs + 60_000, limit: 10 })
    return found.tasks
  }

  /** Hands the current task over to the first stand-in. */
  async function handOver(part: Partial<HandOver['next']> = {}, ended: Partial<HandOver['ended']> = {}) {
    return tasks().handOver(changeOf(await task(), part, ended))
  }

  function changeOf(
    current: HandOver['task'],
    part: Partial<HandOver['next']> = {},
    ended: Partial<HandOver['ended']> = {},
  ): HandOver {
    return {
      task: current,
      sentAtMs: MORNING_MS,
      ended: {
        state: 'failed',
        reason: 'generation_failed',
        message: 'No.',
        vendorCostMicros: null,
        ...ended,
      },
      next: {
        provider: 'vendorB',
        model: 'vendorB/gen-v4-std',
        standIns: ['vendorA/gen-2.0-fast'],
        noticeTokenDigest: null,
        sentAtMs: MORNING_MS + 3_000,
        nextPollAtMs: MORNING_MS + 9_000,
        ...part,
      },
      atMs: MORNING_MS + 3_000,
    }
  }

  describe('a task that is handed over', () => {
    beforeEach(() => createFunded(store(), { balance: 1_000 }))
    afterEach(async () => {
      expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    test('keeps its id, deadline and hold, and gets the stand-in', async () => {
      await begin(store(), { standIns: STAND_INS })
      const before = await task()
      expect(await handOver({}, { state: 'refused', reason: 'rate_limited', message: null })).toMatchObject({
        kind: 'handed-over',
        task: { attempt: 2, provider: 'vendorB', servedModel: 'vendorB/gen-v4-std', status: 'submitting' },
      })
      expect(await task()).toEqual({
        ...before,
        attempt: 2,
        attemptAtMs: MORNING_MS + 3_000,
        provider: 'vendorB',
        servedModel: 'vendorB/gen-v4-std',
        standIns: ['vendorA/gen-2.0-fast'],
      })
      expect(await readMoney(store())).toEqual({ balance: 1_000, held: HELD })
      expect(await claim('vendorA')).toEqual([])
      expect(await claim('vendorB')).toMatchObject([{ id: 'task_1', attempt: 2 }])
    })

    test('has a row for each attempt, with its ticket and the reason of its end', async () => {
      await beginAccepted(store(), { standIns: STAND_INS })
      await handOver({}, { vendorCostMicros: micros(70) })
      const [first, second] = await tasks().listAttempts('task_1')
      expect(first).toEqual({
        number: 1,
        provider: 'vendorA',
        model: 'vendorA/gen-2.0',
        state: 'failed',
        encryptedTicket: 'sealed-ticket-task_1',
        beganAtMs: MORNING_MS,
        endedAtMs: MORNING_MS + 3_000,
        reason: 'generation_failed',
        message: 'No.',
        vendorCostMicros: 70,
      })
      expect(second).toMatchObject({ number: 2, model: 'vendorB/gen-v4-std', state: 'open', endedAtMs: null })
      expect((await task()).encryptedTicket).toBeNull()
    })

    test('two simultaneous hand-overs make one attempt', async () => {
      await beginAccepted(store(), { standIns: STAND_INS })
      const change = changeOf(await task())
      const both = await Promise.all([tasks().handOver(change), tasks().handOver(change)])
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(['handed-over', 'unchanged'])
      expect(await tasks().listAttempts('task_1')).toHaveLength(2)
    })

    test.each(['succeeded', 'failed', 'cancelled'] as const)('a %s task stays', async (end) => {
      await beginAccepted(store(), { standIns: STAND_INS })
      await tasks().move(sampleMove(end))
      expect(await handOver()).toMatchObject({ kind: 'unchanged', task: { status: end, attempt: 1 } })
      expect(await tasks().listAttempts('task_1')).toEqual([])
    })

    test('an unknown task is not handed over', async () => {
      await begin(store(), { standIns: STAND_INS })
      const gone = changeOf({ ...(await task()), id: 'task_9' })
      expect(await tasks().handOver(gone)).toEqual({ kind: 'no-task' })
    })

    test('an answer to the attempt before changes nothing', async () => {
      await begin(store(), { standIns: STAND_INS })
      await handOver({}, { state: 'refused' })
      expect(await accept(store(), sampleMove('succeeded'))).toMatchObject({ kind: 'unchanged' })
      expect(await task()).toMatchObject({ status: 'submitting', attempt: 2, encryptedTicket: null })
      expect(await readMoney(store())).toEqual({ balance: 1_000, held: HELD })
    })

    test('a late success of the previous attempt does not end the task and costs nothing', async () => {
      await beginAccepted(store(), { standIns: STAND_INS })
      await handOver()
      const late = sampleMove('succeeded', { cost: sampleCost(60) })
      expect(await tasks().move(late)).toMatchObject({ kind: 'unchanged', task: { status: 'queued' } })
      expect(await readMoney(store())).toEqual({ balance: 1_000, held: HELD })
    })

    test('the success of the stand-in is charged once: 60 micros', async () => {
      await begin(store(), { standIns: STAND_INS })
      await handOver({}, { state: 'refused', reason: 'server_error' })
      expect(await accept(store(), sampleMove('queued', { attempt: 2 }))).toMatchObject({ kind: 'moved' })
      const end = sampleMove('succeeded', { attempt: 2, measured: { credits: 3 } })
      expect(await tasks().move(end)).toMatchObject({ kind: 'moved', ended: true })
      expect(await tasks().move({ ...end, entryId: 'ent_again' })).toMatchObject({ kind: 'unchanged' })
      expect(await readMoney(store())).toEqual({ balance: 940, held: 0 })
      expect(await tasks().listAttempts('task_1')).toMatchObject([
        { number: 1, state: 'refused', reason: 'server_error' },
        { number: 2, state: 'succeeded', reason: null, vendorCostMicros: 30_000 },
      ])
    })

    test('its snapshots have the number of their attempt', async () => {
      await beginAccepted(store(), { standIns: STAND_INS })
      await tasks().move(sampleMove('running'))
      await handOver({}, { measured: { credits: 2 } })
      const rows = await opened().runSql(
        'select attempt, status from task_snapshots order by attempt, status',
      )
      expect(rows.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
        '1 failed',
        '1 queued',
        '1 running',
      ])
    })

    test('a task that its stand-in refused too is forgotten, with its attempts and its hold', async () => {
      await begin(store(), { standIns: STAND_INS })
      await handOver({}, { state: 'refused' })
      expect(await tasks().forget({ id: 'task_1', atMs: MORNING_MS + 4_000 })).toBeDefined()
      expect(await opened().runSql('select id from task_attempts')).toEqual([])
      expect(await readMoney(store())).toEqual({ balance: 1_000, held: 0 })
    })

    describe('after a failure', () => {
      const waiting = { sentAtMs: null, nextPollAtMs: MORNING_MS + 3_000 }
      const start = (part: Partial<AttemptStart> = {}): AttemptStart => ({
        id: 'task_1',
        attempt: 2,
        sentAtMs: MORNING_MS + 5_000,
        noticeTokenDigest: 'token-2',
        nextPollAtMs: MORNING_MS + 600_000,
        ...part,
      })
      const kept = () => tasks().findRequest('task_1')

      beforeEach(async () => {
        await beginAccepted(store(), { standIns: STAND_INS, encryptedRequest: 'sealed-request' })
        await tasks().move(sampleMove('running'))
      })

      test('the task waits, is due immediately at the next vendor, and keeps its visible status', async () => {
        expect(await handOver(waiting)).toMatchObject({ kind: 'handed-over' })
        expect(await task()).toMatchObject({
          ...{ status: 'running', attempt: 2, attemptAtMs: null, encryptedTicket: null, error: null },
          ...{ completedAtMs: null, updatedAtMs: MORNING_MS + 3_000, holdMicros: HELD },
        })
        expect(await claim('vendorB')).toMatchObject([{ id: 'task_1', attempt: 2, attemptAtMs: null }])
        expect(await opened().runSql('select task_id from video_callbacks')).toEqual([])
        expect(await kept()).toBe('sealed-request')
      })

      test('of two replicas that read the same waiting attempt one sends it', async () => {
        await handOver(waiting)
        const both = await Promise.all([tasks().startAttempt(start()), tasks().startAttempt(start())])
        expect(both.filter((found) => found !== undefined)).toMatchObject([
          { attempt: 2, attemptAtMs: MORNING_MS + 5_000, status: 'running' },
        ])
        expect((await tasks().listAttempts('task_1'))[1]).toMatchObject({ beganAtMs: MORNING_MS + 5_000 })
        expect(await tasks().findByNotice('token-2')).toMatchObject({ id: 'task_1' })
      })

      test.each([
        ['another attempt', { attempt: 3 }],
        ['an attempt that was sent with its task', { attempt: 1 }],
        ['another task', { id: 'task_9' }],
      ])('%s is not started', async (_name, part) => {
        if (!('attempt' in part) || part.attempt !== 1) await handOver(waiting)
        expect(await tasks().startAttempt(start(part))).toBeUndefined()
      })

      test('a task that ended while it waited is not sent', async () => {
        await handOver(waiting)
        await tasks().move(sampleMove('cancelled', { attempt: 2 }))
        expect(await tasks().startAttempt(start())).toBeUndefined()
        expect(await kept()).toBeUndefined()
      })

      test('no answer is stored for an unsent attempt', async () => {
        await handOver(waiting)
        expect(await accept(store(), sampleMove('queued', { attempt: 2 }))).toMatchObject({
          kind: 'unchanged',
        })
      })

      test.each([
        ['queued', 'running'],
        ['running', 'running'],
        ['succeeded', 'succeeded'],
      ] as const)('the first answer %s of the stand-in makes a running task %s', async (answer, status) => {
        await handOver(waiting)
        await tasks().startAttempt(start())
        const move = sampleMove(answer, { attempt: 2 })
        expect(await accept(store(), move)).toMatchObject({ kind: 'moved', task: { status } })
        expect(await accept(store(), move)).toMatchObject({ kind: 'unchanged', task: { status } })
        expect((await task()).encryptedTicket).toBe('sealed-ticket-task_1')
        const paid = answer === 'succeeded' ? { balance: 940, held: 0 } : { balance: 1_000, held: HELD }
        expect(await readMoney(store())).toEqual(paid)
      })

      test('the request is kept until no stand-in can need it', async () => {
        await handOver(waiting)
        await tasks().startAttempt(start())
        await accept(store(), sampleMove('queued', { attempt: 2 }))
        expect(await kept()).toBe('sealed-request')
        await handOver({ ...waiting, provider: 'vendorA', model: 'vendorA/gen-2.0-fast', standIns: [] })
        expect(await kept()).toBe('sealed-request')
        await tasks().startAttempt(start({ attempt: 3 }))
        await accept(store(), sampleMove('queued', { attempt: 3 }))
        expect(await kept()).toBeUndefined()
      })

      test.each(['succeeded', 'failed', 'cancelled'] as const)(
        'the request is deleted when the task has %s',
        async (end) => {
          expect(await kept()).toBe('sealed-request')
          await tasks().move(sampleMove(end))
          expect(await kept()).toBeUndefined()
        },
      )

      test('without its request the failure is the end of the task', async () => {
        await opened().runSql('update video_tasks set sealed_request = null')
        expect(await handOver(waiting)).toMatchObject({ kind: 'unchanged', task: { attempt: 1 } })
      })

      test('a task with a withheld result is not handed over', async () => {
        await opened().runSql('update video_tasks set withheld_at_ms = 1')
        expect(await handOver(waiting)).toMatchObject({ kind: 'unchanged', task: { attempt: 1 } })
      })

      test('the row of an attempt that ends its task has the reason of the vendor', async () => {
        await handOver(waiting)
        await tasks().startAttempt(start())
        await tasks().move(sampleMove('failed', { attempt: 2, refusal: 'concurrency' }))
        expect(await tasks().listAttempts('task_1')).toMatchObject([
          { number: 1, state: 'failed', reason: 'generation_failed' },
          { number: 2, state: 'refused', reason: 'concurrency', message: null },
        ])
        expect((await task()).error).toEqual({ code: 'generation_failed', message: 'It broke.' })
        expect(await readMoney(store())).toEqual({ balance: 1_000, held: 0 })
      })

      test('the request is deleted when its organization is erased, and no stand-in makes the task', async () => {
        await store().erasures.eraseOrganization({ id: 'org_1', atMs: MORNING_MS, audit: sampleAudit() })
        expect(await kept()).toBeUndefined()
        expect((await task()).standIns).toEqual([])
      })
    })
  })
}
