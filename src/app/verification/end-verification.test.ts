import { expect, test } from 'vitest'
import { createSecrets } from '../../adapters/system/secrets.ts'
import type { StoredVerification } from '../../ports/asset-store.ts'
import type { AssetVendor } from '../assets/asset-vendor.ts'
import { encryptKept } from './encrypted-verification.ts'
import { type EndTools, endVerification } from './end-verification.ts'

const secrets = createSecrets('a secret of the tests, long enough')
const CLAIMED_AT_MS = 7
const BROWSER = {
  resultCode: '10000',
  verifyType: 'real_time',
  algorithmBaseRespCode: undefined,
  reqMeasureInfoValue: undefined,
}
const VERIFICATION = {
  id: 'ver_1',
  organizationId: 'org_1',
  provider: 'vendorA',
  encryptedToken: encryptKept('token', 'token-1', 'ver_1', secrets),
  encryptedCallbackUrl: encryptKept('callback', 'https://client.example/done', 'ver_1', secrets),
} as StoredVerification

/** The return of a verified person while `provider` is the configured asset vendor. */
function openVisit(provider: string | undefined) {
  let nowMs = 0
  const acts: unknown[] = []
  const driver: Partial<AssetVendor['driver']> = {
    async exchange(token) {
      acts.push(['exchange', token])
      return { kind: 'group', groupTicket: 'person-1' }
    },
  }
  const tools = {
    vendor: provider === undefined ? undefined : { provider, driver, canDelete: true },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    pause: async (ms: number) => {
      nowMs += ms
    },
    log: { warn: (event: string) => acts.push(event) },
    assets: { bindPerson: async () => ({ id: 'group_1' }) },
    verifications: {
      releaseExchange: async (claim: object) => void acts.push(['release', claim]),
      finish: async () => undefined,
    },
    retries: { retryUntilStored: (attempt: () => unknown) => attempt() },
    metrics: { verificationEnded: (kind: string) => acts.push(kind) },
    consentUrlOf: () => undefined,
    newId: () => 'group_1',
    secrets,
  }
  const { byAsking } = endVerification(tools as unknown as EndTools)
  const visit = { browser: BROWSER, claimedAtMs: CLAIMED_AT_MS }
  return { acts, end: () => byAsking(VERIFICATION, visit), waitedMs: () => nowMs }
}

test.each([
  ['no provider', undefined],
  ['another provider', 'vendorX'],
])(
  'while %s is configured, the token is not exchanged and the claim is released for a later visit',
  async (_, open) => {
    const { acts, end, waitedMs } = openVisit(open)
    expect(await end()).toBeUndefined()
    expect(acts).toEqual(['verification.exchange_delayed', ['release', { id: 'ver_1', atMs: CLAIMED_AT_MS }]])
    expect(waitedMs()).toBe(0)
  },
)

test('once its provider is configured, the same token gives the group', async () => {
  const { acts, end } = openVisit('vendorA')
  expect(await end()).toContain('group_id=group_1')
  expect(acts).toEqual([['exchange', 'token-1'], 'granted'])
})
