import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import {
  createOrganizations,
  sampleAsset,
  sampleAssetMove,
  sampleGroup,
  sampleVerification,
} from '../../engines/store/sample-asset.ts'
import { MORNING_MS } from '../../engines/store/sample-rows.ts'
import { roundsOf } from '../../random/fault-run.ts'
import { type LedgerEngine, onPostgres, onSqlite } from './ledger-engine.ts'
import { patiently } from './patiently.ts'

const TIMEOUT_MS = 300_000
const LEASE_MS = 60_000
const GROUP_RACES = roundsOf({ slice: 5, whole: 20 })
const GROUP_RACERS = 50
const MOVE_RACES = roundsOf({ slice: 12, whole: 50 })
const MOVE_RACERS = 20
const VERIFICATION_RACES = roundsOf({ slice: 5, whole: 20 })
const DUE_ASSETS = 300
const SWEEPERS = 6

describe.each([
  { name: 'SQLite', start: async () => onSqlite(), replicas: 1 },
  { name: 'PostgreSQL, over three replicas', start: onPostgres, replicas: 3 },
])('assets raced for on $name', ({ start, replicas }) => {
  let engine: LedgerEngine
  let stores: Store[]
  const storeFor = (number: number) => stores[number % stores.length] ?? expect.fail('no store')
  const race = <Answer>(racers: number, run: (store: Store, racer: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: racers }, (_, racer) => patiently(() => run(storeFor(racer), racer))))

  beforeAll(async () => {
    engine = await start()
    stores = [await engine.open()]
    while (stores.length < replicas) stores.push(await engine.open())
  })
  afterEach(async () => expect(await keptCounts(engine)).toEqual(await realCounts(engine)))
  afterAll(async () => {
    for (const store of stores) await store.close()
    await engine.cleanUp()
  })

  test(`${GROUP_RACERS} racers claim the default group, and again after the lease: one wins, ${GROUP_RACES} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    for (let round = 0; round < GROUP_RACES; round += 1) {
      const organizationId = `org_claim_${round}`
      await createOrganizations(storeFor(0), organizationId)
      const leaseUntilMs = MORNING_MS + LEASE_MS
      const claim = { organizationId, provider: 'vendorA', leaseUntilMs, seenTicket: undefined }
      const first = await race(GROUP_RACERS, ({ assets }) =>
        assets.claimDefaultGroup({ ...claim, nowMs: MORNING_MS }),
      )
      expect(first.filter(Boolean)).toHaveLength(1)
      const lapsed = await race(GROUP_RACERS, ({ assets }) =>
        assets.claimDefaultGroup({
          ...claim,
          nowMs: leaseUntilMs,
          leaseUntilMs: leaseUntilMs + LEASE_MS,
        }),
      )
      expect(lapsed.filter(Boolean)).toHaveLength(1)
    }
  })

  test(`${GROUP_RACERS} racers for the default group: one makes it, and one replaces it when it is gone, ${GROUP_RACES} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    for (let round = 0; round < GROUP_RACES; round += 1) {
      const organizationId = `org_make_${round}`
      await createOrganizations(storeFor(0), organizationId)
      const group = { organizationId, provider: 'vendorA' }
      let goneTicket: string | undefined
      for (const generation of [1, 2]) {
        const made: string[] = []
        // The claim ends once the group exists, so that late racers find no claim, but the group.
        await race(GROUP_RACERS, async ({ assets }, racer) => {
          const claimed = await assets.claimDefaultGroup({
            ...group,
            seenTicket: goneTicket,
            nowMs: MORNING_MS,
            leaseUntilMs: MORNING_MS + LEASE_MS,
          })
          if (!claimed) return
          const ticket = `ticket_${round}_${generation}_${racer}`
          made.push(ticket)
          const groupMade = sampleGroup({ ...group, id: `grp_${ticket}`, ticket })
          await assets.setDefaultGroup({ ...groupMade, insteadOf: goneTicket })
        })
        expect(made).toHaveLength(1)
        const found = await storeFor(round).assets.findDefaultGroup(group)
        expect(found?.ticket).toBe(made[0])
        goneTicket = made[0]
      }
    }
  })

  test(`${GROUP_RACERS} racers bind one person: all get the same group`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    await createOrganizations(storeFor(0), 'org_person')
    const bound = await race(GROUP_RACERS, ({ assets }, racer) =>
      assets.bindPerson(
        sampleGroup({ id: `grp_person_${racer}`, organizationId: 'org_person', kind: 'person' }),
        undefined,
      ),
    )
    expect(new Set(bound.map((group) => group?.id)).size).toBe(1)
  })

  test(`${MOVE_RACERS} racers with different ends on one asset: one end, ${MOVE_RACES} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const organizationId = 'org_moves'
    await createOrganizations(storeFor(0), organizationId)
    await storeFor(0).assets.setDefaultGroup(sampleGroup({ id: 'grp_moves', organizationId }))
    for (let round = 0; round < MOVE_RACES; round += 1) {
      const id = `ast_move_${round}`
      await storeFor(round).assets.create(
        sampleAsset({ id, organizationId, groupId: 'grp_moves' }),
        undefined,
      )
      const outcomes = await race(MOVE_RACERS, ({ assets }, racer) => {
        const status = (['active', 'failed', 'processing'] as const)[(racer + round) % 3] ?? 'failed'
        return assets.move(sampleAssetMove(status, { id, organizationId, atMs: MORNING_MS + racer }))
      })
      const asset = await storeFor(round).assets.find({ id, organizationId })
      const ends = new Set(
        outcomes.map((outcome) => outcome?.status).filter((status) => status !== 'processing'),
      )
      expect(ends).toEqual(new Set([asset?.status]))
      expect(asset?.error === null).toBe(asset?.status === 'active')
      expect(asset?.encryptedUrl === null).toBe(asset?.status === 'failed')
    }
  })

  test(`a token is exchanged once and the first end stands, ${VERIFICATION_RACES} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    await createOrganizations(storeFor(0), 'org_verify')
    for (let round = 0; round < VERIFICATION_RACES; round += 1) {
      const id = `ver_${round}`
      const stateDigest = `digest_${round}`
      await storeFor(round).verifications.create(
        sampleVerification({ id, stateDigest, organizationId: 'org_verify' }),
      )
      const claims = await race(MOVE_RACERS, ({ verifications }) =>
        verifications.claimExchange({ id, atMs: MORNING_MS }),
      )
      expect(claims.filter(Boolean)).toHaveLength(1)
      const ends = await race(MOVE_RACERS, ({ verifications }, racer) =>
        verifications.finish({ id, encryptedRedirect: `redirect_${racer}`, atMs: MORNING_MS }),
      )
      const found = await storeFor(round).verifications.find(stateDigest)
      expect(new Set(ends.map((end) => end?.encryptedRedirect))).toEqual(new Set([found?.encryptedRedirect]))
    }
  })

  test(`${SWEEPERS} sweepers end ${DUE_ASSETS} due assets while others are made: each is claimed once`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const organizationId = 'org_due'
    const provider = 'vendorDue'
    await createOrganizations(storeFor(0), organizationId)
    await storeFor(0).assets.setDefaultGroup(sampleGroup({ id: 'grp_due', organizationId, provider }))
    const create = (id: string, number: number, nextPollAtMs: number) =>
      patiently(() =>
        storeFor(number).assets.create(
          sampleAsset({ id, organizationId, groupId: 'grp_due', nextPollAtMs }),
          undefined,
        ),
      )
    const ids = Array.from({ length: DUE_ASSETS }, (_, number) => `ast_due_${number}`)
    for (const [number, id] of ids.entries()) await create(id, number, MORNING_MS)
    const claimed: string[] = []
    const sweep = async (sweeper: number) => {
      const { assets } = storeFor(sweeper)
      for (;;) {
        const leaseUntilMs = MORNING_MS + LEASE_MS
        const { assets: due } = await patiently(() =>
          assets.claimDue({ provider, nowMs: MORNING_MS, leaseUntilMs, limit: 16 }),
        )
        if (due.length === 0) return
        claimed.push(...due.map(({ id }) => id))
        const ends = due.map(({ id }, index) =>
          sampleAssetMove(index % 2 === 0 ? 'active' : 'failed', { id, organizationId }),
        )
        await Promise.all(ends.map((end) => patiently(() => assets.move(end))))
      }
    }
    const makeOthers = async () => {
      for (const number of ids.keys()) await create(`ast_other_${number}`, number, MORNING_MS + 1)
    }
    await Promise.all([makeOthers(), ...Array.from({ length: SWEEPERS }, (_, sweeper) => sweep(sweeper))])
    expect(claimed.toSorted()).toEqual(ids.toSorted())
  })
})

async function keptCounts({ db }: LedgerEngine): Promise<unknown[]> {
  return db
    .selectFrom('asset_counts')
    .select(['organization_id', 'group_id', 'status', 'assets'])
    .where('assets', '<>', 0)
    .orderBy('group_id')
    .orderBy('status')
    .execute()
}

async function realCounts({ db }: LedgerEngine): Promise<unknown[]> {
  return db
    .selectFrom('assets')
    .select(({ fn }) => ['organization_id', 'group_id', 'status', fn.countAll<number>().as('assets')])
    .groupBy(['organization_id', 'group_id', 'status'])
    .orderBy('group_id')
    .orderBy('status')
    .execute()
}
