import { expect, test } from 'vitest'
import { SILENT_LOG } from '../../../../test/engines/store/silent-log.ts'
import { ApiError } from '../../../domain/api-error.ts'
import type { VendorIdOwner } from '../../../ports/request-claims.ts'
import { createVendorIds } from './vendor-ids.ts'

const MINE = { organizationId: 'org_1', provider: 'vendorC' }

/** A store in memory, to which a test can add ids like another replica. */
function openIds({ beforeRetry = () => {} } = {}) {
  const kept: VendorIdOwner[] = []
  const ways = { isUnreachable: false, lookUps: 0, kept, keptUntilMs: 0 }
  const ids = createVendorIds({
    store: {
      async keep({ owners, expiresAtMs }) {
        if (ways.isUnreachable) throw new ApiError('store_unavailable')
        ways.keptUntilMs = expiresAtMs
        for (const owner of owners) kept.push(owner)
      },
      async find({ organizationId, digests }) {
        ways.lookUps += 1
        const own = kept.filter((owner) => owner.organizationId === organizationId)
        return digests.filter((digest) => own.some((owner) => owner.digest === digest))
      },
      dropExpired: async () => 0,
    },
    secrets: { digest: (text) => `digest of ${text}`, digests: (text) => [`digest of ${text}`] },
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    log: SILENT_LOG,
    pause: async () => beforeRetry(),
  })
  return { ids, ways }
}

test('a new id is found before it is written', async () => {
  const { ids, ways } = openIds()
  ids.keep(MINE, ['msg_1'])
  expect(await ids.findForeign(MINE, ['msg_1'])).toEqual(new Set())
  expect(ways.lookUps).toBe(0)
  expect(await ids.writeGroup()).toBe(true)
  expect(ids.waiting()).toBe(0)
  expect(await ids.findForeign(MINE, ['msg_1'])).toEqual(new Set())
})

test('an id is kept for thirty days, as a digest', async () => {
  const { ids, ways } = openIds()
  ids.keep(MINE, ['msg_1'])
  await ids.writeGroup()
  expect(ways.kept).toEqual([{ organizationId: 'org_1', digest: 'digest of vendor id vendorC msg_1' }])
  expect(ways.keptUntilMs).toBe(30 * 24 * 3_600_000)
})

test('an id belongs to one organization at one vendor', async () => {
  const { ids } = openIds()
  ids.keep(MINE, ['msg_1'])
  for (const written of [false, true]) {
    if (written) await ids.writeGroup()
    expect(await ids.findForeign({ ...MINE, organizationId: 'org_2' }, ['msg_1'])).toEqual(new Set(['msg_1']))
    expect(await ids.findForeign({ ...MINE, provider: 'vendorD' }, ['msg_1'])).toEqual(new Set(['msg_1']))
  }
})

test('an id that another replica is still writing is found by a second search', async () => {
  const { ids, ways } = openIds({
    beforeRetry: () =>
      void ways.kept.push({ organizationId: 'org_1', digest: 'digest of vendor id vendorC msg_1' }),
  })
  expect(await ids.findForeign(MINE, ['msg_1'])).toEqual(new Set())
  expect(ways.lookUps).toBe(2)
})

const many = (count: number) => Array.from({ length: count }, (_, at) => `msg_${at}`)

test('ids wait for an unreachable store, up to a limit that leaves room for other organizations', async () => {
  const { ids, ways } = openIds()
  ways.isUnreachable = true
  ids.keep(MINE, many(30_000))
  expect(await ids.writeGroup()).toBe(false)
  expect(ids.waiting()).toBe(10_000)
  ids.keep({ ...MINE, organizationId: 'org_2' }, many(30_000))
  expect(ids.waiting()).toBe(15_000)
  ways.isUnreachable = false
  while (ids.waiting() > 0) expect(await ids.writeGroup()).toBe(true)
  expect(ways.kept).toHaveLength(15_000)
})

test('an id of one organization does not wait for all ids of another', async () => {
  const { ids, ways } = openIds()
  ids.keep(MINE, many(5_000))
  ids.keep({ ...MINE, organizationId: 'org_2' }, ['msg_1'])
  await ids.writeGroup()
  expect(ways.kept).toHaveLength(512)
  expect(ways.kept.filter(({ organizationId }) => organizationId === 'org_2')).toHaveLength(1)
  while (ids.waiting() > 0) await ids.writeGroup()
  expect(ways.kept).toHaveLength(5_001)
})
