import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import type { AssetVendor } from '../../../src/app/assets/asset-vendor.ts'
import { createAsset } from '../../../src/app/assets/create-asset.ts'
import { removeCopies } from '../../../src/app/assets/remove-copies.ts'
import { consentUrlOf } from '../../../src/app/verification/consent-link.ts'
import { encryptKept } from '../../../src/app/verification/encrypted-verification.ts'
import { endVerification } from '../../../src/app/verification/end-verification.ts'
import { createWriteRetries } from '../../../src/app/waiting/retry-write.ts'
import type { AssetDriver } from '../../../src/ports/asset-driver.ts'
import type { LogFields } from '../../../src/ports/log.ts'
import { silentMetrics } from '../../silent-metrics.ts'
import { type LentStore, lendPostgres, lendSqlite } from '../store/lend-store.ts'
import { createOrganizations, pending, sampleGroup, sampleVerification } from '../store/sample-asset.ts'
import { MORNING_MS, sampleAudit } from '../store/sample-rows.ts'
import { SILENT_LOG } from '../store/silent-log.ts'

const PERSON = sampleGroup({ id: 'group_1', kind: 'person', ticket: 'person-1' })
const ORGANIZATION = { organizationId: 'org_1' }
const CALLER = {
  ...{ ...ORGANIZATION, userId: 'usr_1', keyId: 'key_1', allowedModels: null, hasBudget: false },
  ...{ keyRequestsPerMinute: null, organizationRequestsPerMinute: null, keepReplies: null },
}
const PORTRAIT = { url: 'https://media.example/face.png', type: 'Image', name: undefined } as const
const clock = { nowMs: () => MORNING_MS, monotonicMs: () => MORNING_MS }
const secrets = createSecrets('a secret of the tests, long enough')
const pause = async () => {}

describe.each([
  { engine: 'SQLite', lend: lendSqlite },
  { engine: 'PostgreSQL', lend: lendPostgres },
])('an asset that the vendor makes while its group is erased, on $engine', ({ lend }) => {
  let lent: LentStore
  beforeEach(async () => {
    lent = await lend()
    await createOrganizations(lent.store, 'org_1')
    await lent.store.assets.bindPerson(PERSON, undefined)
  })
  afterEach(() => lent.giveBack())

  const ERASURES = {
    erase: () => lent.store.erasures.eraseGroup({ groupId: 'group_1', ...ORGANIZATION }, sampleAudit(), []),
    revoke: () =>
      lent.store.erasures.revokeConsent({
        ...{ groupId: 'group_1', audit: sampleAudit(), deletableProviders: [] },
      }),
  }

  /** A vendor that stores its assets; `meanwhile` runs during one of its calls. */
  function open(
    meanwhile: () => Promise<unknown>,
    { canDelete = true, isGroupGone = false, during = 'upload' as 'upload' | 'group' | 'removal' } = {},
  ) {
    const kept = new Set<string>(['person-1'])
    const lines: { event: string; fields: LogFields | undefined }[] = []
    const unused = () => Promise.reject(new Error('this is not asked here'))
    const drop = async (ticket: string) => {
      if (during === 'removal') await meanwhile()
      kept.delete(ticket)
      return { kind: 'removed' } as const
    }
    const driver: AssetDriver = {
      async createGroup() {
        kept.add('default-1')
        if (during === 'group') await meanwhile()
        return { kind: 'made', groupTicket: 'default-1' }
      },
      async createAsset() {
        if (!isGroupGone) kept.add('late-1')
        await meanwhile()
        return isGroupGone ? { kind: 'group-gone' } : { kind: 'accepted', ticket: 'late-1' }
      },
      async exchange(ticket) {
        kept.add(ticket)
        await meanwhile()
        return { kind: 'group', groupTicket: ticket }
      },
      ...{ getAsset: unused, listAssets: unused, startVerification: unused },
      ...{ deleteAsset: drop, deleteGroup: drop },
    }
    const { assets, verifications, erasures } = lent.store
    const vendor: AssetVendor = { provider: 'vendorA', driver, canDelete }
    const log = {
      ...SILENT_LOG,
      warn: (event: string, fields?: LogFields) => void lines.push({ event, fields }),
    }
    const tools = {
      ...{ vendor, assets, verifications, erasures, clock, secrets, pause, log, newId: createIds(clock) },
      ...{ retries: createWriteRetries({ clock, pause, log }), metrics: silentMetrics() },
      ...{ firstPollAfterMs: 1, consentUrlOf: consentUrlOf({ secrets, publicBaseUrl: () => '' }) },
    }
    const create = createAsset(tools)
    return {
      ...{ kept, lines, removeCopies: removeCopies(tools) },
      upload: (groupId?: string) => create({ request: { ...PORTRAIT, groupId }, caller: CALLER }),
      /** Address to which the browser of a person with this ticket goes. */
      async endScan(ticket: string): Promise<URLSearchParams> {
        const verification = sampleVerification({
          encryptedToken: encryptKept('token', ticket, 'ver_1', secrets),
          encryptedCallbackUrl: encryptKept('callback', 'https://client.example/', 'ver_1', secrets),
        })
        await verifications.create(verification)
        await verifications.claimExchange({ id: 'ver_1', atMs: MORNING_MS })
        const url = await endVerification(tools).byAsking(pending(verification), {
          browser: {
            ...{ resultCode: '10000', verifyType: 'real_time' },
            ...{ algorithmBaseRespCode: undefined, reqMeasureInfoValue: undefined },
          },
          claimedAtMs: MORNING_MS,
        })
        return new URL(String(url)).searchParams
      },
    }
  }

  describe.each(['erase', 'revoke'] as const)('%s', (how) => {
    test('400 group_id_error for the upload, and the vendor removes its copy', async () => {
      const { upload, kept, removeCopies } = open(ERASURES[how])
      await expect(upload('group_1')).rejects.toMatchObject({ code: 'group_id_error', param: 'group_id' })
      expect(kept).toEqual(new Set(['person-1', 'late-1']))
      await removeCopies()
      await removeCopies()
      expect(kept).toEqual(new Set())
    })

    test('400 group_id_error when the vendor removed the group before the upload arrived', async () => {
      const { upload } = open(ERASURES[how], { isGroupGone: true })
      await expect(upload('group_1')).rejects.toMatchObject({ code: 'group_id_error' })
    })

    test('an earlier scan does not bring the person back, and the group at the vendor is removed', async () => {
      const { endScan, kept, removeCopies } = open(ERASURES[how])
      const reported = await endScan('person-1')
      expect(Object.fromEntries(reported)).toMatchObject({ resultCode: 'exchange_failed' })
      expect(reported.has('group_id') || reported.has('consent_url')).toBe(false)
      expect(await lent.store.erasures.listGroups('org_1')).toEqual([])
      await removeCopies()
      expect(kept).toEqual(new Set())
    })

    test('a scan of another person continues', async () => {
      const reported = await open(ERASURES[how]).endScan('person-2')
      expect(await lent.store.erasures.listGroups('org_1')).toEqual([reported.get('group_id')])
    })
  })

  test('a copy that the vendor cannot be asked to remove is reported to the operator', async () => {
    const { upload, lines } = open(ERASURES.erase, { canDelete: false })
    await expect(upload('group_1')).rejects.toMatchObject({ code: 'group_id_error' })
    const fields = { provider: 'vendorA', organizationId: 'org_1', reason: 'late-1' }
    expect(lines).toEqual([{ event: 'asset.copy_left', fields }])
  })

  test('a group whose person is verified again while another copy is removed stays at the vendor', async () => {
    const { assets, erasures } = lent.store
    await createOrganizations(lent.store, 'org_2')
    await assets.bindPerson(sampleGroup({ id: 'group_2', kind: 'person', ticket: 'person-2' }), undefined)
    for (const [at, groupId] of ['group_2', 'group_1'].entries()) {
      const audit = sampleAudit({ id: `aud_${groupId}`, atMs: MORNING_MS - 2 + at })
      await erasures.eraseGroup({ groupId, ...ORGANIZATION }, audit, ['vendorA'])
    }
    const again = sampleGroup({ id: 'group_3', organizationId: 'org_2', kind: 'person', ticket: 'person-1' })
    let calls = 0
    const verifyAgain = async () => {
      calls += 1
      if (calls === 1) await assets.bindPerson(again, undefined)
    }
    const { kept, removeCopies } = open(verifyAgain, { during: 'removal' })
    kept.add('person-2')
    await removeCopies()
    expect(kept).toEqual(new Set(['person-1']))
    expect(calls).toBe(1)
  })

  describe('the whole organization', () => {
    const eraseAll = async () => {
      const { erasures } = lent.store
      await erasures.eraseOrganization({ id: 'org_1', atMs: MORNING_MS, audit: sampleAudit() })
      for (const groupId of await erasures.listGroups('org_1'))
        await erasures.eraseGroup({ groupId, ...ORGANIZATION }, sampleAudit(), [])
    }

    test('403 organization_disabled for an upload without a group', async () => {
      const { upload, kept, removeCopies } = open(eraseAll)
      await expect(upload()).rejects.toMatchObject({ code: 'organization_disabled' })
      await removeCopies()
      expect(kept.has('late-1')).toBe(false)
    })

    test('403 organization_disabled while the default group is made, which the vendor removes', async () => {
      const { upload, kept, removeCopies, lines } = open(eraseAll, { during: 'group' })
      await expect(upload()).rejects.toMatchObject({ code: 'organization_disabled' })
      expect(await lent.store.erasures.listGroups('org_1')).toEqual([])
      await removeCopies()
      expect(kept).toEqual(new Set(['person-1']))
      expect(lines).toEqual([])
    })

    test('a default group that the vendor cannot be asked to remove is reported to the operator', async () => {
      const { upload, lines } = open(eraseAll, { during: 'group', canDelete: false })
      await expect(upload()).rejects.toMatchObject({ code: 'organization_disabled' })
      const fields = { provider: 'vendorA', organizationId: 'org_1', reason: 'default-1' }
      expect(lines).toEqual([{ event: 'asset.group_left', fields }])
    })

    test('a scan binds no one', async () => {
      const { endScan, kept, removeCopies } = open(eraseAll)
      expect((await endScan('person-2')).has('group_id')).toBe(false)
      expect(await lent.store.erasures.listGroups('org_1')).toEqual([])
      await removeCopies()
      expect(kept.has('person-2')).toBe(false)
    })
  })
})
