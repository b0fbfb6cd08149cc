import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StreamedAnswer } from '../../../src/adapters/outbound/streamed-answer.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { CALL, startUpstreamScenario, type UpstreamScenario, WHOLE } from './harness/upstream-scenario.ts'

const SLOTS = 256
const CALLS = 300
/** More than the buffers of a connection take, so that its reader is waited for. */
const LONG = Buffer.alloc(64 * 1_048_576)

describe("one organization's share of an upstream", () => {
  let scenario: UpstreamScenario

  beforeEach(async () => {
    scenario = await startUpstreamScenario()
  })
  afterEach(() => scenario.close())

  it(`${CALLS} endless calls leave a quarter of the slots to the others`, async () => {
    scenario.answer = (request, response) => {
      if (request.url === '/api/quick') response.end('taken')
      else response.write('and then nothing')
    }
    const upstream = scenario.open({ connections: SLOTS, queueLimit: 1_000, queueWaitMs: 1_000 })
    const hanging = Array.from({ length: CALLS }, () => upstream.stream({ ...CALL, holder: 'org_a' }))
    const endings = Promise.allSettled(hanging)
    await expect.poll(() => scenario.requests.length).toBeGreaterThanOrEqual(SLOTS - SLOTS / 4)
    const answer = await upstream.request({ ...WHOLE, path: '/quick', holder: 'org_b' })
    expect(answer.body.toString()).toBe('taken')
    const begun = (await endings).filter(({ status }) => status === 'fulfilled')
    expect(begun).toHaveLength(SLOTS - SLOTS / 4)
  })

  it('one organization never fills the queue', async () => {
    scenario.answer = () => {}
    const upstream = scenario.open({ connections: 1, queueLimit: 16, queueWaitMs: 60_000 })
    const own = Array.from({ length: 20 }, () => upstream.request({ ...WHOLE, holder: 'org_a' }))
    Promise.allSettled(own)
    await expect(own.at(-1)).rejects.toMatchObject({ kind: 'busy' })
    Promise.allSettled([upstream.request({ ...WHOLE, holder: 'org_b' })])
    expect(scenario.pool()).toMatchObject({ busy: 1, waiting: 15 })
  })

  it('a stalled reader is cut while another organization waits for its slot, and only then', async () => {
    scenario.answer = (request, response) => {
      if (request.url === '/api/quick') response.end('taken')
      else response.write(LONG)
    }
    const warnings: unknown[] = []
    const log = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => void warnings.push(line) }
    const upstream = scenario.open({ connections: 3, queueLimit: 10, queueWaitMs: 60_000, log })
    const unread = await Promise.all([1, 2, 3].map(() => upstream.stream({ ...CALL, holder: 'org_a' })))
    const own = upstream.request({ ...WHOLE, path: '/quick', holder: 'org_a' })
    const answer = await upstream.request({ ...WHOLE, path: '/quick', holder: 'org_b' })
    expect(answer.body.toString()).toBe('taken')
    expect(scenario.outcomes().filter((outcome) => outcome === 'stalled')).toHaveLength(1)
    expect(unread.filter(isCut)).toHaveLength(1)
    expect(warnings).toEqual([
      ['stream.stalled_reader_cut', { provider: 'vendorX', organizationId: 'org_a' }],
    ])
    expect((await own).status).toBe(200)
  })

  it('an organization whose unread stream was cut opens no more streams beyond its share for 10 s', async () => {
    let laterMs = 0
    scenario.answer = (request, response) => {
      if (request.url === '/api/quick') response.end('taken')
      else response.write(request.url === '/api/long' ? LONG : 'begun')
    }
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + laterMs }
    const upstream = scenario.open({ connections: 3, queueLimit: 10, queueWaitMs: 60_000, clock })
    for (let opened = 0; opened < 3; opened += 1)
      await upstream.stream({ ...CALL, path: '/long', holder: 'org_a' })
    const other = await upstream.stream({ ...CALL, path: '/begun', holder: 'org_b' })
    expect(scenario.outcomes()).toEqual(['stalled'])
    const again = () => upstream.request({ ...WHOLE, path: '/quick', holder: 'org_a' })
    await expect(again()).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringMatching(/not read them/),
    })
    laterMs = 10_000
    const waiting = again()
    expect(scenario.pool()).toMatchObject({ busy: 3, waiting: 1 })
    other.body.destroy()
    expect((await waiting).status).toBe(200)
  })
})

function isCut({ body }: StreamedAnswer): boolean {
  return body.errored !== null
}
