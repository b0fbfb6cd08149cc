import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestNoticeToken, makeNoticeToken } from '../../../src/app/video/notice-token.ts'
import type { Reading } from '../../../src/ports/video-driver.ts'
import { HOLD_MICROS } from './make-task.ts'
import { ENGINES, type OpenedEngine } from './open-engine.ts'
import { openWork, SUBMITTING_RESOLVE_MS, SWEEP_INTERVAL_MS, type VideoWork } from './open-work.ts'
import { never, said, scriptedDriver, UNANSWERED } from './scripted-driver.ts'

const COST_MICROS = 300_000

describe.each(ENGINES)('notices on %s', (_name, openEngine) => {
  let engine: OpenedEngine
  let work: VideoWork
  let token: string
  let answers: Record<string, Reading | 'never'>
  const driver = scriptedDriver((ticket) => {
    const answer = answers[ticket] ?? UNANSWERED
    return answer === 'never' ? never() : answer
  })

  beforeEach(async () => {
    engine = await openEngine()
    answers = {}
    driver.reads.length = 0
    work = await openWork(engine.store, { drivers: { vendorA: driver } })
    token = makeNoticeToken(work.tools.secrets, 'org_1')
  })
  afterEach(async () => {
    await work.stop()
    await engine.cleanUp()
  })

  const options = () => ({ provider: 'vendorA', noticeToken: token })

  /** Takes the notices in this order, and waits until they are processed. */
  async function take(...notices: { token?: string; ticket?: string }[]): Promise<void> {
    for (const notice of notices) work.notices.take({ token, ticket: undefined, ...notice })
    await work.notices.idle()
  }

  it('a success is read back and settled once, after any number of notices', async () => {
    const id = await work.makeTask('t1', options())
    answers.t1 = said('running')
    await take({})
    expect(await work.read(id)).toMatchObject({ status: 'running' })
    answers.t1 = said('succeeded', { seconds: 3 })
    await take({}, {}, {}, {})
    await take({})
    expect(await work.read(id)).toMatchObject({ status: 'succeeded', chargedMicros: COST_MICROS })
    await work.expectMoney({ paid: COST_MICROS, held: 0 })

    // A notice that is repeated later causes no poll.
    const asked = driver.reads.length
    await take({}, { ticket: 'another' })
    expect(driver.reads).toHaveLength(asked)
  })

  it('an old status after a newer status changes nothing', async () => {
    const id = await work.makeTask('t1', options())
    answers.t1 = said('running')
    await take({})
    answers.t1 = said('queued')
    await take({})
    expect(await work.read(id)).toMatchObject({ status: 'running' })
  })

  it('a forged notice has no effect, and the ticket of another task is not polled', async () => {
    const id = await work.makeTask('t1', options())
    answers.t1 = said('running')
    answers.t2 = said('succeeded', { seconds: 3 })
    await take(
      { token: makeNoticeToken(work.tools.secrets, 'org_1'), ticket: 't1' },
      { token: 'x', ticket: 't1' },
    )
    expect(driver.reads).toEqual([])
    await take({ ticket: 't2' })
    expect(driver.reads).toEqual(['t1'])
    expect(await work.read(id)).toMatchObject({ status: 'running' })
  })

  it('a task with a lost create answer is adopted, and continues like any other', async () => {
    const id = await work.beginTask(options())
    answers.t1 = said('queued')
    await take({}, { ticket: 't1' })
    expect(await work.read(id)).toMatchObject({ status: 'queued', updatedAtMs: null })
    expect(work.log.count('notice.adopted_task')).toBe(1)

    work.clock.pass(SWEEP_INTERVAL_MS)
    answers.t1 = said('succeeded', { seconds: 3 })
    await work.sweep('vendorA')
    expect(await work.read(id)).toMatchObject({ status: 'succeeded', chargedMicros: COST_MICROS })
    await work.expectMoney({ paid: COST_MICROS, held: 0 })
  })

  describe('of a stand-in whose answer was lost', () => {
    /** Makes a task that its first vendor refused, and whose stand-in has not answered. */
    async function loseStandIn(): Promise<string> {
      const id = await work.beginTask({ provider: 'vendorB' })
      const nowMs = work.clock.nowMs()
      const handed = await engine.store.tasks.handOver({
        task: await work.read(id),
        ...{ sentAtMs: nowMs, atMs: nowMs },
        ended: { state: 'refused', reason: 'forbidden', message: null, vendorCostMicros: null },
        next: {
          ...{ provider: 'vendorA', model: 'vendorA/gen-2.0', standIns: ['vendorB/gen-v3'] },
          noticeTokenDigest: digestNoticeToken(token, work.tools.secrets),
          ...{ sentAtMs: nowMs, nextPollAtMs: nowMs + SUBMITTING_RESOLVE_MS },
        },
      })
      expect(handed).toMatchObject({ kind: 'handed-over', task: { status: 'submitting', attempt: 2 } })
      return id
    }
    const attempts = async (id: string) =>
      (await engine.store.tasks.listAttempts(id)).map(({ model, state }) => `${model} ${state}`)

    it('the task is adopted and charged the held 500000 micros, with any measures of the stand-in', async () => {
      const id = await loseStandIn()
      answers.t1 = said('running')
      await take({}, { ticket: 't1' })
      expect(await work.read(id)).toMatchObject({ status: 'running', provider: 'vendorA', attempt: 2 })
      expect(work.log.count('notice.adopted_task')).toBe(1)
      answers.t1 = said('succeeded', { seconds: 3 })
      await take({}, {})
      expect(await work.read(id)).toMatchObject({ status: 'succeeded', chargedMicros: HOLD_MICROS })
      expect(await attempts(id)).toEqual(['vendorB/gen-v4-std refused', 'vendorA/gen-2.0 succeeded'])
      await work.expectMoney({ paid: HOLD_MICROS, held: 0 })
    })

    it('without a notice the task fails after the wait: no other stand-in is called, 0 micros are charged', async () => {
      const id = await loseStandIn()
      work.clock.pass(SUBMITTING_RESOLVE_MS)
      await work.sweep('vendorA')
      expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code: 'upstream_error' } })
      expect(await attempts(id)).toEqual(['vendorB/gen-v4-std refused', 'vendorA/gen-2.0 failed'])
      await work.expectMoney({ paid: 0, held: 0 })
    })
  })

  it('a task that has ended at its vendor is adopted and settled in one step', async () => {
    const id = await work.beginTask(options())
    answers.t1 = said('succeeded', { seconds: 3 })
    await take({ ticket: 't1' })
    expect(await work.read(id)).toMatchObject({ status: 'succeeded', chargedMicros: COST_MICROS })
    await work.expectMoney({ paid: COST_MICROS, held: 0 })
  })

  it.each<[string, Reading]>([
    ['does not know', { kind: 'gone' }],
    ['does not answer for', UNANSWERED],
  ])('a ticket that the vendor %s adopts nothing', async (_case, reading) => {
    const id = await work.beginTask(options())
    answers.t1 = reading
    await take({ ticket: 't1' }, {})
    expect(await work.read(id)).toMatchObject({ status: 'submitting' })
    await work.expectMoney({ paid: 0, held: HOLD_MICROS })
  })

  it('after the wait for an answer the failure stays and the loss is logged', async () => {
    const id = await work.beginTask(options())
    work.clock.pass(SUBMITTING_RESOLVE_MS)
    await work.sweep('vendorA')
    answers.t1 = said('succeeded', { seconds: 3 })
    await take({ ticket: 't1' })
    expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code: 'upstream_error' } })
    await work.expectMoney({ paid: 0, held: 0 })
    expect(work.log.count('notice.for_given_up_task')).toBe(1)
  })

  it('a success after the deadline is too late: the failure stays, free, and the loss is logged', async () => {
    const id = await work.makeTask('t1', { ...options(), expiresAfterMs: 60_000 })
    answers.t1 = said('running')
    work.clock.pass(60_000)
    await work.sweep('vendorA')
    answers.t1 = said('succeeded', { seconds: 3 })
    await take({})
    expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code: 'task_expired' } })
    await work.expectMoney({ paid: 0, held: 0 })
    expect(work.log.count('task.late_success')).toBe(1)
  })

  it('a vendor that hangs does not delay the stop of the process', async () => {
    await work.makeTask('t1', options())
    answers.t1 = 'never'
    work.notices.take({ token, ticket: undefined })
    await expect.poll(() => driver.reads.length).toBe(1)
    await work.notices.stop()
  })
})
