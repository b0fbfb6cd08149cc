import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCourier } from '../../../src/app/callbacks/courier.ts'
import { deliverEvent } from '../../../src/app/callbacks/deliver-event.ts'
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

  beforeEach(async () => {
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
    await store.erasures.revokeConsent({
      groupId: 'group_1',
      audit,
      deletableProviders: [],
      eventId: 'msg_1',
    })
  }

  /** Sends due events and stores their results. */
  async function deliver(): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { ref: false })
    const { organizations, organizationEvents } = engine.store
    const tools = { ...work.tools, log: work.log, organizations, organizationEvents }
    const courier = createCourier({
      ...{ ...tools, callbacks: organizationEvents, pause: () => new Promise<void>(() => {}) },
      deliver: deliverEvent({
        ...{ ...tools, metrics: SILENT_METRICS, checkpoint: passCheckpoint },
        ...{ retries: createWriteRetries({ ...tools, pause }), send: openEngineSender() },
      }),
    })
    await courier.pass()
    await courier.idle()
    await courier.stop()
  }

  it('person.revoked is posted once, signed as callbacks are', async () => {
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
    expect(id).toBe('msg_1')
    const key = Buffer.from(work.tenant.webhookSecret.replace('whsec_', ''), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${at}.${got?.body}`).digest('base64')
    expect(signature).toBe(`v1,${expected}`)
  })

  it('5xx is repeated after 1 s and 3 s with the same id and body, then it is given up', async () => {
    receiver.answer = () => 503
    await revoke(receiver.urlOf('/events'))
    await deliver()
    for (const seconds of [1, 3, 60]) {
      await deliver()
      work.clock.pass(seconds * 1_000)
      await deliver()
    }
    expect(receiver.received).toHaveLength(3)
    expect(
      new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size,
    ).toBe(1)
    expect(work.log.count('callback.given_up')).toBe(1)
  })

  it('4xx is given up at once', async () => {
    receiver.answer = () => 404
    await revoke(receiver.urlOf('/events'))
    await deliver()
    work.clock.pass(60_000)
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect(work.log.count('callback.given_up')).toBe(1)
  })

  it('an address that no message may go to is given up without a connection', async () => {
    await revoke('https://10.0.0.1/events')
    await deliver()
    expect(receiver.received).toEqual([])
    expect(work.log.count('callback.given_up')).toBe(1)
  })
})
