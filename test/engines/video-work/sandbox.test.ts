import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts'
import { createUpstream } from '../../../src/adapters/outbound/upstream.ts'
import { vendorADriver } from '../../../src/adapters/providers/vendor-a/driver.ts'
import { vendorBDriver } from '../../../src/adapters/providers/vendor-b/driver.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { makeNoticeToken, noticeUrlOf } from '../../../src/app/video/notice-token.ts'
import type { VideoOrder } from '../../../src/domain/video/families/families.ts'
import { type Loop, startSweeper, startWorker } from '../../../src/workers/schedule.ts'
import { memoryApp } from '../../api/http-edge/memory-app.ts'
import { type Edge, startEdge } from '../../api/http-edge/start-edge.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'
import { A, prepare, text, V4 } from '../../video/prepare.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { acceptTask, beginTask } from './make-task.ts'
import { ENGINES, type OpenedEngine } from './open-engine.ts'
import { type CallbackReceiver, openCallbackReceiver } from './open-receiver.ts'
import { openWork, type VideoWork } from './open-work.ts'

/** A task takes 100 s of the vendor's time. */
const SPEED = 400
const SWEEP_INTERVAL_MS = 50

describe.each(ENGINES)('tasks of the sandbox vendors on %s, in real time', (_name, openEngine) => {
  let engine: OpenedEngine
  let sandbox: Sandbox
  let receiver: CallbackReceiver
  let edge: Edge
  let work: VideoWork
  let drivers: ReturnType<typeof openDrivers>
  let loops: Loop[]

  beforeEach(async () => {
    engine = await openEngine()
    sandbox = await startSandbox({ port: 0, speed: SPEED, nowMs: systemClock.nowMs })
    receiver = await openCallbackReceiver()
    drivers = openDrivers(sandbox.url)
    work = await openWork(engine.store, {
      drivers: { vendorA: drivers.vendorA, vendorB: drivers.vendorB },
      clock: { ...systemClock, pass() {}, jump() {} },
      sweepIntervalMs: SWEEP_INTERVAL_MS,
      wakesCourier: true,
    })
    edge = await startEdge({ app: memoryApp({ takeNotice: work.notices.take }) })
    loops = [startWorker('callback-courier', { run: work.courier.pass, log: SILENT_LOG })]
  })
  afterEach(async () => {
    await edge.close()
    for (const loop of loops) await loop.stop()
    await work.stop()
    await drivers.close()
    await sandbox.close()
    await engine.cleanUp()
    await receiver.close()
  })

  function sweepAlways(provider: string): void {
    const { pass: run } = work.sweepOf(provider)
    loops.push(startSweeper('task-sweeper', { run, everyMs: SWEEP_INTERVAL_MS, log: SILENT_LOG }))
  }

  /** A create call like one of the gateway; `answer: 'lost'` drops the answer of the vendor. */
  async function create(
    words: string,
    { family, answer = 'heard', expiresAfterMs = 600_000, expiresThereAfterMs = expiresAfterMs }: Options,
  ): Promise<{ id: string; noticeUrl: string }> {
    const provider = family === 'a' ? 'vendorA' : 'vendorB'
    const noticeToken = makeNoticeToken(work.tools.secrets, 'org_1')
    const noticeUrl = noticeUrlOf(edge.url, noticeToken)
    const { tenant, tools } = work
    const callbackUrl = receiver.urlOf('/done')
    const task = await beginTask({ tenant, provider, callbackUrl, noticeToken, expiresAfterMs }, tools)
    const order: VideoOrder = prepare({ model: family === 'a' ? A : V4, content: [text(`A cat ${words}`)] })
    const submission = await drivers[provider].create({
      organizationId: 'org_1',
      order,
      expiresAfterSeconds: expiresThereAfterMs / 1_000,
      noticeUrl: family === 'a' ? noticeUrl : undefined,
    })
    if (submission.kind !== 'accepted') throw new Error(`The vendor did not take it: ${submission.kind}`)
    if (answer === 'heard') await acceptTask(task, submission.ticket, tools)
    return { id: task.id, noticeUrl }
  }

  const statusOf = async (id: string) => (await work.read(id)).status
  const sentStatuses = () => receiver.received.map(({ body }) => JSON.parse(body).status)

  it('family B ends by the sweep alone, and the callback arrives', async () => {
    sweepAlways('vendorB')
    const { id } = await create('', { family: 'b' })
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      id,
      status: 'succeeded',
      content: { video_url: expect.stringContaining('/vendor-b/clips/') },
    })
    await expect.poll(() => engine.store.callbacks.listAttempts({ taskId: id, limit: 9 })).toHaveLength(1)
    await work.expectMoney({ paid: 500_000, held: 0 })
  })

  it.each(['', '[twice]', '[disorder]', '[twice] [disorder]', '[instant]'])(
    'family A ends by notices alone: %s',
    async (words) => {
      const { id } = await create(words, { family: 'a' })
      await expect.poll(() => statusOf(id)).toBe('succeeded')
      await expect.poll(sentStatuses).toEqual(['succeeded'])
      await work.notices.idle()
      await work.courier.pass()
      await work.courier.idle()
      expect(sentStatuses()).toEqual(['succeeded'])
      await work.expectMoney({ paid: 500_000, held: 0 })
    },
  )

  it('the end that a notice claims is not believed', async () => {
    const { id, noticeUrl } = await create('[stuck] [silent]', { family: 'a' })
    const body = JSON.stringify({
      id: 'cgt-x',
      status: 'succeeded',
      content: { video_url: 'https://evil.example' },
    })
    const headers = { 'content-type': 'application/json' }
    for (const url of [noticeUrl, noticeUrlOf(edge.url, makeNoticeToken(work.tools.secrets, 'org_1'))]) {
      const answer = await fetch(url, { method: 'POST', headers, body })
      expect([answer.status, await answer.text()]).toEqual([200, '{}'])
    }
    await work.notices.idle()
    expect(['queued', 'running']).toContain(await statusOf(id))
    expect(receiver.received).toEqual([])
  })

  it('a task whose create answer was lost is adopted by its notices', async () => {
    const { id } = await create('', { family: 'a', answer: 'lost' })
    await expect.poll(() => statusOf(id)).toBe('succeeded')
    await expect.poll(sentStatuses).toEqual(['succeeded'])
    await expect.poll(() => work.log.count('notice.adopted_task')).toBe(1)
    await work.expectMoney({ paid: 500_000, held: 0 })
  })

  it('a late success does not change the failure', async () => {
    sweepAlways('vendorA')
    // `[late]` succeeds after the vendor's deadline, so the sweep has seconds to notice that the task's has passed.
    const { id } = await create('[late]', { family: 'a', expiresAfterMs: 500, expiresThereAfterMs: 4_000 })
    await expect.poll(() => statusOf(id)).toBe('failed')
    const reported = () => work.log.count('task.late_success')
    await expect.poll(reported).toBe(1)
    expect(await work.read(id)).toMatchObject({ status: 'failed', error: { code: 'task_expired' } })
    await expect.poll(sentStatuses).toEqual(['failed'])
    await work.expectMoney({ paid: 0, held: 0 })
  })
})

interface Options {
  family: 'a' | 'b'
  answer?: 'heard' | 'lost'
  expiresAfterMs?: number
  /** Deadline for the vendor; default: the task's. */
  expiresThereAfterMs?: number
}

function openDrivers(sandboxUrl: string) {
  const bounds = { connections: 64, queueLimit: 64, queueWaitMs: 5_000, connectTimeoutMs: 5_000 }
  const waits = { firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000 }
  const tools = { clock: systemClock, log: SILENT_LOG, metrics: SILENT_METRICS }
  const open = (name: string, path: string) =>
    createUpstream({ name, baseUrl: `${sandboxUrl}${path}`, ...bounds, ...waits, ...tools })
  const upstreams = [open('vendorA', '/vendor-a/api/v3'), open('vendorB', '/vendor-b')] as const
  const apiKey = () => 'any'
  return {
    vendorA: vendorADriver({ upstream: upstreams[0], apiKey, models: new Map([['gen-2.0', 'up-2.0']]) }),
    vendorB: vendorBDriver({ upstream: upstreams[1], apiKey }),
    close: () => Promise.all(upstreams.map((upstream) => upstream.close())),
  }
}
