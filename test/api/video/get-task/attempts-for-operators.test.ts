import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSecrets } from '../../../../src/adapters/system/secrets.ts'
import { createMetrics } from '../../../../src/adapters/telemetry/prometheus.ts'
import { showTask } from '../../../../src/app/video/show-task.ts'
import { describeTask } from '../../../../src/cli/present/present-task.ts'
import { type Client, clientOf, textBody } from '../call-api.ts'
import { setStandIns } from '../set-stand-ins.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

const ADMIN_KEY = 'an-admin-key-of-the-tests'
/** 1280 x 720 pixels, 24 pictures a second for 5 seconds and one more, by 1024: 108,900 tokens at 7 USD a million. */
const CHARGED = 762_300
const METRIC = 'sluice_video_tasks_handed_over_total'

describe('a task with stand-ins, as an operator sees it', () => {
  const metrics = createMetrics()
  let api: VideoApi
  let client: Client

  beforeAll(async () => {
    api = await startVideoApi({ adminKey: ADMIN_KEY, metrics })
    await setStandIns(api, { 'vendorA/gen-2.0': ['vendorB/gen-v4-std', 'vendorA/gen-2.0-fast'] })
  })
  afterAll(() => api.close())
  beforeEach(async () => {
    await api.vendors.clearFaults()
    client = clientOf(api, await api.openTenant())
  })

  async function tell(id: string) {
    const answer = await fetch(`${api.url}/admin/v1/tasks/${id}`, { headers: { 'x-admin-key': ADMIN_KEY } })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Record<string, unknown>
  }

  /** The lines of `sluice task show` about attempts. */
  async function attemptLines(id: string): Promise<string[]> {
    const secrets = createSecrets('a secret of the tests, long enough')
    const show = showTask({
      tasks: api.store.tasks,
      secrets,
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
    })
    return describeTask(await show(id))
      .split('\n')
      .filter((line) => line.startsWith('Attempt '))
  }

  const handedOver = async () =>
    (await metrics.render()).body.split('\n').filter((line) => line.startsWith(`${METRIC}{`))

  test('failed by its vendor, refused by the first stand-in and made by the second: three attempts, two hand-overs, one charge', async () => {
    const id = await client.make(textBody('', { duration: 5 }))
    await api.vendors.breakDown({
      ...{ part: 'vendor-a', operation: 'get', times: 1 },
      fault: {
        ...{ kind: 'status', status: 200 },
        body: { status: 'failed', error: { code: 'Oops', message: 'No.' } },
      },
    })
    await client.get(id)
    await api.vendors.breakDown({
      ...{ part: 'vendor-b', operation: 'submit', times: 1 },
      fault: { kind: 'status', status: 200, body: { code: 481, msg: 'no', status: 'failed' } },
    })
    await api.sweep('vendorB')
    await api.sweep('vendorA')
    api.passSeconds(600)
    expect(await client.get(id)).toMatchObject({ body: { status: 'succeeded' } })

    const reported = await tell(id)
    expect(reported).toMatchObject({
      ...{ model: 'vendorA/gen-2.0', served_by: 'vendorA/gen-2.0-fast', charged_micros: CHARGED },
      vendor_attempts: [
        {
          ...{ attempt: 1, provider: 'vendorA', model: 'vendorA/gen-2.0', state: 'failed' },
          ...{ reason: 'generation_failed', message: 'No.', vendor_cost_micros: null },
          upstream_id: expect.stringMatching(/^cgt-/),
        },
        {
          ...{ attempt: 2, provider: 'vendorB', model: 'vendorB/gen-v4-std', state: 'refused' },
          ...{ reason: 'concurrency', upstream_id: null, vendor_cost_micros: null },
        },
        {
          ...{ attempt: 3, provider: 'vendorA', model: 'vendorA/gen-2.0-fast', state: 'succeeded' },
          ...{ reason: null, upstream_id: reported.upstream_id },
        },
      ],
      snapshots: expect.arrayContaining([
        expect.objectContaining({ status: 'failed', error: { code: 'generation_failed', message: 'No.' } }),
        expect.objectContaining({ status: 'succeeded', error: null }),
      ]),
      entries: [{ amount_micros: -CHARGED }],
    })
    const [first = '', second = '', third = '', ...more] = await attemptLines(id)
    expect(first).toMatch(/^Attempt 1 +vendorA\/gen-2\.0 failed \(generation_failed\), upstream id cgt-\S+$/)
    expect(second).toMatch(/^Attempt 2 +vendorB\/gen-v4-std refused \(concurrency\), upstream id -$/)
    expect(third).toMatch(/^Attempt 3 +vendorA\/gen-2\.0-fast succeeded, upstream id cgt-\S+$/)
    expect(more).toEqual([])
    expect(await handedOver()).toEqual([
      `${METRIC}{asked="vendorA/gen-2.0",served="vendorB/gen-v4-std",reason="generation_failed"} 1`,
      `${METRIC}{asked="vendorA/gen-2.0",served="vendorA/gen-2.0-fast",reason="concurrency"} 1`,
    ])
  })

  test('refused at create: the hand-over is counted, and the vendor bill of the attempt is shown', async () => {
    await api.vendors.breakDown({
      ...{ part: 'vendor-a', operation: 'create', times: 1 },
      fault: { kind: 'status', status: 403, body: { error: { code: 'AccountOverdueError' } } },
    })
    // The sandbox bills 12 credits a second, of 10,000 micros each.
    const id = await client.make(textBody('[credits]', { duration: 5 }))
    api.passSeconds(600)
    expect(await client.get(id)).toMatchObject({ body: { status: 'succeeded' } })
    const { vendor_attempts: attempts, charged_micros: charged } = await tell(id)
    expect(charged).toBe(CHARGED)
    expect(attempts).toMatchObject([
      { attempt: 1, state: 'refused', reason: 'forbidden', upstream_id: null, vendor_cost_micros: null },
      { attempt: 2, state: 'succeeded', vendor_cost_micros: 600_000 },
    ])
    const [, second] = await attemptLines(id)
    expect(second).toMatch(/, billed 0\.60 USD by the vendor$/)
    expect(await handedOver()).toContain(
      `${METRIC}{asked="vendorA/gen-2.0",served="vendorB/gen-v4-std",reason="forbidden"} 1`,
    )
  })

  test('a single attempt has no line in sluice task show, and counts as no hand-over', async () => {
    const before = await handedOver()
    const id = await client.make(textBody('', { duration: 5 }))
    expect(await attemptLines(id)).toEqual([])
    expect(await tell(id)).toMatchObject({ vendor_attempts: [{ attempt: 1, state: 'open' }] })
    expect(await handedOver()).toEqual(before)
  })
})
