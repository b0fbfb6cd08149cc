import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createFunded, HOUR_MS, readMoney, sampleCost, TODAY } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { accept, begin, beginAccepted, HELD, sampleMove } from './sample-task.ts'

export function describeTaskMoves(opened: GetOpened): void {
  const store = () => opened().store
  const tasks = () => store().tasks
  const task = async (id = 'task_1') => (await tasks().findForOperator(id)) ?? expect.fail(`no ${id}`)
  const move = (...args: Parameters<typeof sampleMove>) => tasks().move(sampleMove(...args))
  const money = () => readMoney(store())
  const usedToday = async () => (await store().ledger.readDay({ userId: 'usr_1', day: TODAY })).usedMicros
  const holdState = async () => (await opened().runSql('select state from holds'))[0]?.state
  const callbacks = () => opened().runSql('select id from video_callbacks')

  describe('a move of a task', () => {
    beforeEach(() => createFunded(store(), { balance: 1_000 }))
    afterEach(async () => {
      expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    test('returns nothing for an unknown task', async () => {
      expect(await move('running')).toEqual({ kind: 'no-task' })
    })

    test.each(['queued', 'running', 'succeeded', 'cancelled'] as const)(
      'a task without a ticket does not become %s',
      async (status) => {
        await begin(store())
        const before = await task()
        expect(await move(status)).toMatchObject({ kind: 'unchanged', task: { status: 'submitting' } })
        expect(await task()).toEqual(before)
      },
    )

    test('never goes back', async () => {
      await beginAccepted(store())
      await move('running')
      const before = await task()
      expect(await move('queued', { atMs: MORNING_MS + 2_000 })).toMatchObject({ kind: 'unchanged' })
      expect(await task()).toEqual(before)
    })

    test.each(['succeeded', 'failed', 'cancelled'] as const)('nothing leaves %s', async (end) => {
      await beginAccepted(store())
      await move(end)
      const before = await task()
      for (const status of ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const) {
        if (status === end) continue
        const late = sampleMove(status, {
          atMs: MORNING_MS + 9_000,
          entryId: `ent_late_${status}`,
        })
        expect(await tasks().move(late)).toMatchObject({ kind: 'unchanged', task: { status: end } })
      }
      expect(await task()).toEqual(before)
      expect(await callbacks()).toHaveLength(1)
    })

    test('moves the task from queued to running', async () => {
      await beginAccepted(store())
      expect(await move('running')).toMatchObject({
        kind: 'moved',
        ended: false,
        task: { status: 'running', updatedAtMs: MORNING_MS + 1_000, completedAtMs: null },
      })
    })

    test('a repeated status updates time and content', async () => {
      await beginAccepted(store())
      await move('running', { encryptedContent: 'sealed-progress' })
      expect(await move('running', { atMs: MORNING_MS + 2_000 })).toMatchObject({
        kind: 'unchanged',
        task: { status: 'running', updatedAtMs: MORNING_MS + 2_000, encryptedContent: 'sealed-progress' },
      })
      expect(await task()).toMatchObject({ updatedAtMs: MORNING_MS + 2_000 })
    })

    test('a second read of a succeeded task updates only content and time', async () => {
      await beginAccepted(store())
      await move('succeeded')
      const whole = async () => (await tasks().findWhole('task_1')) ?? expect.fail('no task_1')
      const before = await whole()
      const again = sampleMove('succeeded', {
        encryptedContent: 'sealed-fresh',
        atMs: MORNING_MS + 9_000,
        cost: sampleCost(99),
        error: { code: 'x', message: 'y' },
      })
      const fresh = { ...before, encryptedContent: 'sealed-fresh', updatedAtMs: again.atMs }
      const { metadata: _metadata, encryptedCallbackUrl: _url, ...kept } = fresh
      expect(await tasks().move(again)).toStrictEqual({ kind: 'unchanged', task: kept })
      expect(await tasks().move({ ...again, encryptedContent: null })).toMatchObject({ kind: 'unchanged' })
      expect(await whole()).toEqual(fresh)
      expect(await money()).toEqual({ balance: 940, held: 0 })
    })

    test('a failed task gets neither content nor a later time', async () => {
      await beginAccepted(store())
      await move('failed')
      const before = await task()
      const again = sampleMove('failed', { encryptedContent: 'x', error: null, atMs: MORNING_MS + 9_000 })
      expect(await tasks().move(again)).toMatchObject({ kind: 'unchanged', task: { status: 'failed' } })
      expect(await task()).toEqual(before)
    })

    test.each(['queued', 'running'] as const)('a success from %s is settled', async (from) => {
      await beginAccepted(store())
      if (from === 'running') await move('running')
      expect(await move('succeeded')).toMatchObject({
        kind: 'moved',
        ended: true,
        day: { userId: 'usr_1', day: TODAY, deltaMicros: 60 - HELD },
        lossMicros: 0,
        task: {
          status: 'succeeded',
          encryptedContent: 'sealed-content',
          error: null,
          updatedAtMs: MORNING_MS + 1_000,
          completedAtMs: MORNING_MS + 1_000,
          deletedAtMs: null,
        },
      })
      expect(await money()).toEqual({ balance: 940, held: 0 })
      expect(await usedToday()).toBe(60)
      expect(await holdState()).toBe('settled')
      expect(await task()).toMatchObject({ holdMicros: HELD, chargedMicros: 60, callbackState: 'pending' })
    })

    test('a success that costs nothing is settled too', async () => {
      await beginAccepted(store())
      await move('succeeded', { cost: sampleCost(0) })
      expect(await holdState()).toBe('settled')
      expect(await task()).toMatchObject({ chargedMicros: 0 })
    })

    test('the part above the balance is a loss', async () => {
      await beginAccepted(store())
      expect(await move('succeeded', { cost: sampleCost(1_250) })).toMatchObject({ lossMicros: 250 })
      expect(await money()).toEqual({ balance: 0, held: 0 })
    })

    test.each(['failed', 'cancelled'] as const)(
      '%s costs nothing, with any cost in the move',
      async (end) => {
        await beginAccepted(store())
        expect(await move(end, { cost: sampleCost(60) })).toMatchObject({
          kind: 'moved',
          ended: true,
          day: { deltaMicros: -HELD },
          lossMicros: 0,
        })
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await holdState()).toBe('released')
      },
    )

    test('a lost answer ends as a failure, which the owner sees', async () => {
      await begin(store())
      expect(await move('failed')).toMatchObject({ kind: 'moved', ended: true })
      expect(await tasks().find({ id: 'task_1', keyId: 'key_1' })).toMatchObject({
        status: 'failed',
        error: { code: 'generation_failed', message: 'It broke.' },
        encryptedTicket: null,
      })
      expect(await callbacks()).toHaveLength(1)
    })

    test("keeps a vendor's text without the character that no store can keep", async () => {
      await beginAccepted(store())
      await move('failed', { error: { code: 'a\0b', message: 'c\0d' } })
      expect(await task()).toMatchObject({ error: { code: 'ab', message: 'cd' } })
    })

    test('a task with an expired hold ends too, uncharged', async () => {
      await beginAccepted(store())
      await opened().runSql("update holds set state = 'expired', ended_at_ms = 1")
      await opened().runSql('update organizations set held_micros = 0')
      await opened().runSql('update user_days set used_micros = 0')
      expect(await move('succeeded')).toMatchObject({
        kind: 'moved',
        ended: true,
        day: undefined,
        lossMicros: 60,
      })
      expect(await money()).toEqual({ balance: 1_000, held: 0 })
      expect(await task()).toMatchObject({ status: 'succeeded', chargedMicros: null })
      // The check finds the broken task. Then its status is corrected, because each test must end with a sound store.
      const broken = await store().ledger.check({ nowMs: MORNING_MS, limit: 10 })
      expect(broken.map(({ invariant }) => invariant)).toEqual([10])
      await opened().runSql("update video_tasks set status = 'failed'")
    })

    test.each(['submitting', 'queued', 'running'] as const)(
      'the hold of a task does not expire while the task is %s',
      async (status) => {
        await begin(store(), {}, { hold: { expiresAtMs: MORNING_MS } })
        if (status !== 'submitting') await accept(store())
        if (status === 'running') await move('running')
        const expire = () => store().ledger.expire({ nowMs: MORNING_MS + HOUR_MS, limit: 10 })
        expect(await expire()).toEqual([])
        expect(await holdState()).toBe('open')
        await move('failed')
        expect(await expire()).toEqual([])
        expect(await holdState()).toBe('released')
      },
    )

    test('a task that owes no callback gets none', async () => {
      await beginAccepted(store(), { owesCallback: false })
      await move('succeeded')
      expect(await callbacks()).toEqual([])
      expect(await task()).toMatchObject({ callbackState: null })
    })
  })
}
