import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateWebhookSecret } from '../../../src/app/access/webhook-secret.ts'
import { resendCallback } from '../../../src/app/callbacks/resend-callback.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { CheckpointName } from '../../../src/ports/checkpoint.ts'
import { ENGINES, type OpenedEngine } from './open-engine.ts'
import { type CallbackReceiver, openCallbackReceiver, type ReceivedCallback } from './open-receiver.ts'
import { openWork, type VideoWork } from './open-work.ts'
import { said, scriptedDriver } from './scripted-driver.ts'

const LEASE_MS = 45_000

describe.each(ENGINES)('callbacks on %s', (_name, openEngine) => {
  let engine: OpenedEngine
  let receiver: CallbackReceiver
  let work: VideoWork
  let passed: CheckpointName[]

  beforeEach(async () => {
    engine = await openEngine()
    receiver = await openCallbackReceiver()
    passed = []
    work = await openWork(engine.store, {
      drivers: { vendorB: scriptedDriver(() => said('succeeded', { seconds: 3 })) },
      checkpoint: (name) => void passed.push(name),
    })
  })
  afterEach(async () => {
    await work.stop()
    await engine.cleanUp()
    await receiver.close()
  })

  const attemptsOf = (taskId: string) => engine.store.callbacks.listAttempts({ taskId, limit: 100 })

  /** Ends a task that owes a callback. */
  async function endTask(path = '/done'): Promise<string> {
    const id = await work.makeTask('t1', { callbackUrl: receiver.urlOf(path) })
    await work.sweep()
    return id
  }

  /** Sends due callbacks and stores their results. */
  async function deliver(courier = work.courier): Promise<void> {
    // The first pass may join a pass of a timer that began before the clock moved.
    await courier.pass()
    await courier.pass()
    await courier.idle()
  }

  it('an ended task is posted as Get shows it, signed', async () => {
    const id = await endTask('/done?of=us')
    expect(work.callbacksDue.count).toBe(1)
    await deliver()
    const [got] = receiver.received
    const atMs = work.clock.nowMs()
    const seconds = Math.floor(atMs / 1_000)
    expect(got).toMatchObject({
      path: '/done?of=us',
      headers: {
        'content-type': 'application/json',
        'webhook-id': expect.stringMatching(/^msg_/),
        'webhook-timestamp': String(seconds),
      },
    })
    expect(JSON.parse(got?.body ?? '')).toEqual({
      id,
      object: 'video.generation.task',
      created: seconds,
      model: 'vendorB/gen-v4-std',
      status: 'succeeded',
      updated_at: seconds,
      completed_at: seconds,
      content: { video_url: 'https://video.example/1.mp4' },
      metadata: { order: 7 },
    })
    expect(signaturesOf(got)).toEqual([signatureWith(work.tenant.webhookSecret, got)])
    expect(await attemptsOf(id)).toEqual([{ taskId: id, attempt: 1, atMs, status: 204, error: null }])
    expect(passed.slice(-3)).toEqual(['callback.before-send', 'callback.after-send', 'callback.after-record'])

    work.clock.pass(86_400_000)
    await deliver()
    expect(receiver.received).toHaveLength(1)
  })

  it('for a day after a rotation both secrets sign', async () => {
    const { organizationId, webhookSecret } = work.tenant
    const rotate = rotateWebhookSecret({ ...engine.store, ...work.tools, actor: 'cli' })
    const rotated = await rotate(organizationId)
    await endTask()
    await deliver()
    const [first] = receiver.received
    expect(signaturesOf(first)).toEqual([signatureWith(rotated, first), signatureWith(webhookSecret, first)])

    work.clock.pass(24 * 3_600_000)
    await endTask()
    await deliver()
    const [, second] = receiver.received
    expect(signaturesOf(second)).toEqual([signatureWith(rotated, second)])
  })

  it('5xx is tried three times: 1 s after the first failure and 3 s after the second', async () => {
    receiver.answer = () => 503
    const id = await endTask()
    await deliver()
    work.clock.pass(999)
    await deliver()
    expect(receiver.received).toHaveLength(1)
    work.clock.pass(1)
    await deliver()
    expect(receiver.received).toHaveLength(2)
    work.clock.pass(2_999)
    await deliver()
    expect(receiver.received).toHaveLength(2)
    work.clock.pass(1)
    await deliver()
    work.clock.pass(86_400_000)
    await deliver()
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await attemptsOf(id)).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 503],
    ])
    expect(work.log.count('callback.given_up')).toBe(1)
  })

  it.each([301, 307, 400, 404, 410, 429])('%i ends the retries immediately', async (status) => {
    receiver.answer = () => status
    const id = await endTask()
    await deliver()
    work.clock.pass(86_400_000)
    await deliver()
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status }])
    expect(receiver.received).toHaveLength(1)
  })

  it('a missing receiver is tried three times', async () => {
    // No program listens there, because the port is privileged.
    const id = await work.makeTask('t1', { callbackUrl: 'https://127.0.0.1:2/done' })
    await work.sweep()
    for (let pass = 0; pass < 5; pass += 1) {
      await deliver()
      work.clock.pass(3_000)
    }
    expect((await attemptsOf(id)).map(({ status, error }) => [status, error])).toEqual(
      Array.from({ length: 3 }, () => [null, 'refused']),
    )
  })

  it('a forbidden address is never connected to', async () => {
    const id = await work.makeTask('t1', { callbackUrl: 'https://10.0.0.1/hook' })
    await work.sweep()
    await deliver()
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status: null, error: 'forbidden' }])
    work.clock.pass(86_400_000)
    await deliver()
    expect(await attemptsOf(id)).toHaveLength(1)
  })

  it('a resent callback keeps its id and has three more attempts', async () => {
    receiver.answer = (number) => (number < 6 ? 500 : 200)
    const id = await endTask()
    for (let pass = 0; pass < 4; pass += 1) {
      await deliver()
      work.clock.pass(3_000)
    }
    expect(receiver.received).toHaveLength(3)
    const resend = resendCallback({ ...work.tools, actor: 'cli', callbacks: engine.store.callbacks })
    await resend(id)
    for (let pass = 0; pass < 4; pass += 1) {
      await deliver()
      work.clock.pass(3_000)
    }
    expect((await attemptsOf(id)).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 500],
      [5, 500],
      [6, 200],
    ])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await expect(resend('task_nobody')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('a process that dies while sending leaves the other attempts to the next process, and there is never a fourth attempt', async () => {
    const id = await endTask()
    // Each of these processes claims the callback and dies.
    for (let death = 1; death <= 2; death += 1) {
      const nowMs = work.clock.nowMs()
      const claim = { nowMs, leaseUntilMs: nowMs + LEASE_MS, limit: 1 }
      expect(await engine.store.callbacks.claimDue(claim)).toMatchObject({ due: [{ attempt: death }] })
      await deliver()
      expect(receiver.received).toHaveLength(0)
      work.clock.pass(LEASE_MS)
    }
    receiver.answer = () => 500
    await deliver()
    expect(receiver.received).toHaveLength(1)
    for (let pass = 0; pass < 3; pass += 1) {
      work.clock.pass(LEASE_MS)
      await deliver()
    }
    expect(receiver.received).toHaveLength(1)
    expect(await attemptsOf(id)).toMatchObject([
      { attempt: 1, status: null, error: 'unknown' },
      { attempt: 2, status: null, error: 'unknown' },
      { attempt: 3, status: 500 },
    ])
    expect(work.log.count('callback.given_up')).toBe(1)
  })

  it('a callback that found no free slot has lost no attempt', async () => {
    const id = await endTask()
    const { clock, tenant } = work
    const full = await openWork(engine.store, {
      ...{ drivers: {}, clock, tenant },
      send: async () => ({ kind: 'not-sent' }),
    })
    for (let pass = 0; pass < 5; pass += 1) {
      await deliver(full.courier)
      clock.pass(2_000)
    }
    expect(await attemptsOf(id)).toEqual([])
    await full.stop()
    await deliver()
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status: 204 }])
  })

  it('an unreachable store uses up no attempt', async () => {
    const id = await endTask()
    const { clock, tenant } = work
    const findWhole = () => Promise.reject(new ApiError('store_unavailable'))
    const store = { ...engine.store, tasks: { ...engine.store.tasks, findWhole } }
    const blind = await openWork(store, { drivers: {}, clock, tenant })
    for (let pass = 0; pass < 4; pass += 1) {
      await deliver(blind.courier)
      clock.pass(2_000)
    }
    expect(blind.log.count('callback.postponed')).toBe(4)
    await blind.stop()
    await deliver()
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status: 204 }])
  })

  it('a callback that a stop interrupted is sent by the next process', async () => {
    receiver.answer = () => 'never'
    const id = await endTask()
    await work.courier.pass()
    await expect.poll(() => receiver.received.length).toBe(1)
    await work.courier.stop()
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status: null, error: 'aborted' }])

    receiver.answer = () => 200
    const { clock, tenant } = work
    const next = await openWork(engine.store, { drivers: {}, clock, tenant })
    clock.pass(1_000)
    await deliver(next.courier)
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1 }, { attempt: 2, status: 200 }])
    await next.stop()
  })
})

function signaturesOf(callback: ReceivedCallback | undefined): string[] {
  return callback?.headers['webhook-signature']?.split(' ') ?? []
}

/** Signature of the Standard Webhooks specification, written from there and not from our own code. */
function signatureWith(secret: string, callback: ReceivedCallback | undefined): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const headers = callback?.headers
  const signed = [headers?.['webhook-id'], headers?.['webhook-timestamp'], callback?.body].join('.')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
