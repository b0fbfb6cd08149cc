import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCourier } from '../../../src/app/callbacks/courier.ts'
import { deliverEvent, type OperatorReceiver } from '../../../src/app/events/deliver-event.ts'
import { createWriteRetries } from '../../../src/app/waiting/retry-write.ts'
import { passCheckpoint } from '../../../src/ports/checkpoint.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'
import { sampleGroup } from '../store/sample-asset.ts'
import { sampleAudit } from '../store/sample-rows.ts'
import { ENGINES, type OpenedEngine } from './open-engine.ts'
import { type CallbackReceiver, openCallbackReceiver } from './open-receiver.ts'
import { openEngineSender, openWork, type VideoWork } from './open-work.ts'

describe.each(ENGINES)('events for an organization on %s', (_name, openEngine) => {
  let engine: OpenedEngine
  let receiver: CallbackReceiver
  let work: VideoWork
  let operatorReceiver: OperatorReceiver | undefined

  beforeEach(async () => {
    operatorReceiver = undefined
    engine = await openEngine()
    receiver = await openCallbackReceiver()
    work = await openWork(engine.store, { drivers: {} })
  })
  afterEach(async () => {
    await work.stop()
    await engine.cleanUp()
    await receiver.close()
  })

  async function revoke(url: string): Promise<void> {
    const { organizationId } = work.tenant
    const { store } = engine
    await store.organizations.update({ id: organizationId, eventsUrl: url }, sampleAudit({ id: 'aud_u' }))
    await store.assets.bindPerson(sampleGroup({ id: 'group_1', organizationId, kind: 'person' }), undefined)
    const audit = sampleAudit({ id: 'aud_r', atMs: work.clock.nowMs(), action: 'person.revoke' })
    await store.erasures.revokeConsent({ groupId: 'group_1', audit, deletableProviders: [] })
  }

  /** Sends due events and stores their results. */
  async function deliver(): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { ref: false })
    const { organizations, events } = engine.store
    const tools = { ...work.tools, log: work.log, organizations, events }
    const courier = createCourier({
      ...{ ...tools, callbacks: events, pause: () => new Promise<void>(() => {}) },
      deliver: deliverEvent({
        ...{ ...tools, metrics: SILENT_METRICS, checkpoint: passCheckpoint },
        ...{ retries: createWriteRetries({ ...tools, pause }), send: openEngineSender() },
        operatorReceiver,
      }),
    })
    await courier.pass()
    await courier.idle()
    await courier.stop()
  }

  it('person.revoked is posted once, signed like a callback', async () => {
    await revoke(receiver.urlOf('/events'))
    await deliver()
    await deliver()
    expect(receiver.received).toHaveLength(1)
    const [got] = receiver.received
    const revokedAt = new Date(work.clock.nowMs()).toISOString()
    expect(JSON.parse(got?.body ?? '')).toEqual({
      type: 'person.revoked',
      timestamp: revokedAt,
      data: { organization_id: work.tenant.organizationId, group_id: 'group_1', revoked_at: revokedAt },
    })
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = got?.headers ?? {}
    expect(id).toMatch(/^evt_[\da-f]{32}$/)
    const key = Buffer.from(work.tenant.webhookSecret.replace('whsec_', ''), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${at}.${got?.body}`).digest('base64')
    expect(signature).toBe(`v1,${expected}`)
  })

  it.each([503, 404])(
    '%i is retried for a day with the same id and body, and then given up',
    async (status) => {
      receiver.answer = () => status
      await revoke(receiver.urlOf('/events'))
      const pauses = [1, 3, 10, 60, 300, 1_800, ...Array.from({ length: 23 }, () => 3_600)]
      await deliver()
      for (const [index, seconds] of pauses.entries()) {
        work.clock.pass(seconds * 1_000 - 1)
        await deliver()
        expect(receiver.received).toHaveLength(index + 1)
        work.clock.pass(1)
        await deliver()
        expect(receiver.received).toHaveLength(index + 2)
      }
      expect(pauses.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(86_400)
      work.clock.pass(86_400_000)
      await deliver()
      expect(receiver.received).toHaveLength(30)
      expect(
        new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size,
      ).toBe(1)
      expect(work.log.count('callback.given_up')).toBe(1)
    },
  )

  it('410 is given up immediately', async () => {
    receiver.answer = () => 410
    await revoke(receiver.urlOf('/events'))
    await deliver()
    work.clock.pass(60_000)
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect(work.log.count('callback.given_up')).toBe(1)
  })

  it('an event to a forbidden address is given up without a connection', async () => {
    await revoke('https://10.0.0.1/events')
    await deliver()
    expect(receiver.received).toEqual([])
    expect(work.log.count('callback.given_up')).toBe(1)
  })

  it('operators get the event too, signed with their own secret; without a receiver it is only listed', async () => {
    await revoke(receiver.urlOf('/events'))
    await deliver()
    const rows = await engine.store.events.page({ limit: 10 })
    expect(rows.map((row) => `${row.organizationId} ${row.state} ${row.lastError}`).toSorted()).toEqual(
      ['operator given-up no-address', `${work.tenant.organizationId} delivered null`].toSorted(),
    )
    expect(work.log.count('callback.given_up')).toBe(0)
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    operatorReceiver = { url: receiver.urlOf('/operators'), secret }
    const own = rows.find(({ organizationId }) => organizationId === 'operator')
    await engine.store.events.resend(
      { id: own?.id ?? '', atMs: work.clock.nowMs() },
      sampleAudit({ id: 'aud_s' }),
    )
    await deliver()
    const got = receiver.received.at(-1)
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = got?.headers ?? {}
    expect(id).toBe(own?.id)
    const hmac = createHmac('sha256', Buffer.alloc(32, 7)).update(`${id}.${at}.${got?.body}`)
    expect(signature).toBe(`v1,${hmac.digest('base64')}`)
  })
})
