import type { Caller } from '../../domain/access/api-key.ts'
import type { VerificationRequest } from '../../domain/assets/verification-request.ts'
import type { VerificationStore } from '../../ports/asset-store.ts'
import { type AssetVendor, apiErrorOf, demandVendor, orFailed } from '../assets/asset-vendor.ts'
import type { Runtime } from '../runtime.ts'
import { encryptKept } from './encrypted-verification.ts'
import { digestState, makeState, RETURN_PATH } from './return-state.ts'

/** The link is a credential of the person. The client gets it, and the gateway does not keep it. */
export type StartVerification = (command: {
  request: VerificationRequest
  caller: Caller
}) => Promise<{ link: string }>

/** Lifetime of the vendor's link. */
const VALID_MS = 30 * 60_000

export function startVerification(
  tools: Pick<Runtime, 'clock' | 'newId' | 'secrets'> & {
    vendor: AssetVendor | undefined
    verifications: Pick<VerificationStore, 'create'>
    publicBaseUrl: () => string
  },
): StartVerification {
  const { vendor, verifications, publicBaseUrl, newId, clock, secrets } = tools
  return async ({ request: { callbackUrl, language }, caller: { organizationId } }) => {
    const { provider, driver } = demandVendor(vendor)
    const state = makeState(secrets)
    const stateDigest = digestState(state, secrets)
    const returnUrl = `${publicBaseUrl()}${RETURN_PATH}/${state}`
    // The time is read before the call, so that the gateway's half hour ends no later than the vendor's.
    const createdAtMs = clock.nowMs()
    const start = await orFailed(driver.startVerification({ organizationId, returnUrl, language }))
    if (start.kind !== 'started') throw apiErrorOf(start, { isAboutAPerson: true })
    const id = newId('verification')
    await verifications.create({
      id,
      organizationId,
      provider,
      stateDigest,
      encryptedToken: encryptKept('token', start.token, id, secrets),
      encryptedCallbackUrl: encryptKept('callback', callbackUrl, id, secrets),
      createdAtMs,
      expiresAtMs: createdAtMs + VALID_MS,
      language,
    })
    return { link: start.link }
  }
}
