import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleAudit } from '../store/sample-rows.ts'
import { ENGINES, type OpenedEngine } from './open-engine.ts'
import { type CallbackReceiver, openCallbackReceiver } from './open-receiver.ts'
import { openWork, type VideoWork } from './open-work.ts'
import { said, scriptedDriver } from './scripted-driver.ts'

describe.each(ENGINES)('extended retries of callbacks on %s', (_name, openEngine) => {
  let engine: OpenedEngine
  let receiver: CallbackReceiver
  let work: VideoWork

  beforeEach(async () => {
    engine = await openEngine()
    receiver = await openCallbackReceiver()
    work = await openWork(engine.store, {
      drivers: { vendorB: scriptedDriver(() => said('succeeded', { seconds: 3 })) },
    })
  })
  afterEach(async () => {
    await work.stop()
    await engine.cleanUp()
    await receiver.close()
  })

  const attemptsOf = (taskId: string) => engine.store.callbacks.listAttempts({ taskId, limit: 100 })

  /** Ends a task that owes a callback. */
  async function endTask(): Promise<string> {
    const id = await work.makeTask('t1', { callbackUrl: receiver.urlOf('/done') })
    await work.sweep()
    return id
  }

  /** Makes two passes: the first may join a pass of a timer that began before the clock moved. */
  async function deliver(): Promise<void> {
    await work.courier.pass()
    await work.courier.pass()
    await work.courier.idle()
  }

  const extend = (callbackRetries: 'default' | 'extended') =>
    engine.store.organizations.update(
      { id: work.tenant.organizationId, callbackRetries },
      sampleAudit({ organizationId: work.tenant.organizationId }),
    )

  it('with extended retries 5xx is tried 30 times in 24 hours, with growing pauses', async () => {
    receiver.answer = () => 503
    await extend('extended')
    const id = await endTask()
    const begunMs = work.clock.nowMs()
    // A later choice of the organization applies to later callbacks only.
    await extend('default')
    for (const pauseMs of [0, 1_000, 3_000, 10_000, 60_000, 300_000, 1_800_000]) {
      work.clock.pass(pauseMs - 1)
      const before = receiver.received.length
      if (pauseMs > 0) await deliver()
      expect(receiver.received).toHaveLength(before)
      work.clock.pass(1)
      await deliver()
      expect(receiver.received).toHaveLength(before + 1)
    }
    for (let hour = 1; hour <= 25; hour += 1) {
      work.clock.pass(3_600_000)
      await deliver()
    }
    const attempts = await attemptsOf(id)
    expect(attempts).toHaveLength(30)
    expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([503]))
    expect((attempts.at(-1)?.atMs ?? 0) - begunMs).toBe(2_174_000 + 23 * 3_600_000)
    expect(work.log.count('callback.given_up')).toBe(1)
  })

  it.each([408, 425, 429])(
    'with extended retries %i is retried at the time of Retry-After',
    async (status) => {
      receiver.answer = (number) => (number === 1 ? status : 200)
      receiver.retryAfter = '600'
      await extend('extended')
      const id = await endTask()
      await deliver()
      work.clock.pass(599_999)
      await deliver()
      expect(receiver.received).toHaveLength(1)
      work.clock.pass(1)
      await deliver()
      expect(await attemptsOf(id)).toMatchObject([{ status }, { status: 200 }])
    },
  )

  it('with extended retries a refused connection is retried, and 400 ends the retries', async () => {
    await extend('extended')
    const away = await work.makeTask('t1', { callbackUrl: 'https://127.0.0.1:2/done' })
    await work.sweep()
    for (const pauseMs of [1_000, 3_000, 10_000, 60_000]) {
      await deliver()
      work.clock.pass(pauseMs)
    }
    await deliver()
    expect(await attemptsOf(away)).toHaveLength(5)
    receiver.answer = () => 400
    const refused = await endTask()
    await deliver()
    work.clock.pass(86_400_000)
    await deliver()
    expect(await attemptsOf(refused)).toHaveLength(1)
  })

  it('a resent callback has the current retries of its organization', async () => {
    receiver.answer = () => 429
    const id = await endTask()
    await deliver()
    expect(await attemptsOf(id)).toHaveLength(1)
    await extend('extended')
    const keyId = work.tenant.keyId
    const [own] = await engine.store.callbacks.listOwn({
      keyId,
      state: 'given-up',
      after: undefined,
      limit: 9,
    })
    expect(own).toMatchObject({ task: { id }, attempts: 1, nextAttemptAtMs: null, lastStatus: 429 })
    const resend = { id: own?.id ?? '', keyId, atMs: work.clock.nowMs() }
    expect(await engine.store.callbacks.resendOwn({ ...resend, keyId: 'key_2' })).toBeUndefined()
    expect(await engine.store.callbacks.resendOwn({ ...resend, id: 'msg_2' })).toBeUndefined()
    expect(await engine.store.callbacks.resendOwn(resend)).toMatchObject({
      ...{ state: 'pending', attempts: 1, nextAttemptAtMs: resend.atMs, lastStatus: 429 },
    })
    for (const pauseMs of [1_000, 3_000, 10_000]) {
      await deliver()
      work.clock.pass(pauseMs)
    }
    await deliver()
    expect(await attemptsOf(id)).toHaveLength(5)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })
})
