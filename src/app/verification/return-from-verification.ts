import { ApiError } from '../../domain/api-error.ts'
import { type BrowserReturn, readBrowserReturn } from '../../domain/assets/browser-return.ts'
import type { Language } from '../../domain/assets/verification-request.ts'
import type { StoredVerification, VerificationStore } from '../../ports/asset-store.ts'
import { findByDigests } from '../access/find-by-digests.ts'
import { SingleFlight } from '../jobs/single-flight.ts'
import { openKept } from './encrypted-verification.ts'
import { type EndTools, endVerification } from './end-verification.ts'
import { digestsOfState } from './return-state.ts'

/** Destination of a browser that came back from the vendor's page, or the reason why there is none. */
export type VerificationReturn =
  | { kind: 'redirect'; url: string }
  /** The gateway did not make the address. */
  | { kind: 'unknown' }
  /** `language` is the client's choice; null when it is not stored. */
  | { kind: 'expired' | 'used' | 'unavailable'; language: Language | null }

export type ReturnFromVerification = (visit: {
  state: string
  /** Query of the browser, unchanged. */
  query: unknown
  /** Set when the page of an earlier visit retries by itself: the vendor's failure was counted then. */
  isRepeat?: boolean
}) => Promise<VerificationReturn>

/** Grace for a scan that began just before the link expired. */
const GRACE_MS = 5 * 60_000

/** Time after the end in which a reload gets the same redirect. */
const REPEATED_MS = 30 * 60_000

/** Longer than a visit can hold the claim. A visit with an older claim is considered dead. */
const PATIENCE_MS = 30_000
const LOOK_AGAIN_MS = 100

/**
 * The first visit decides, and every visit within half an hour repeats the decision. One visit at a time holds the claim
 * to decide, and other visits wait. The claim is released only when the vendor has certainly not taken the token: the
 * result is then `unavailable`, and a reload tries again. When the process of the visit with the claim dies, the
 * verification ends as a failed exchange, because the vendor may have been called.
 */
export function returnFromVerification(
  tools: EndTools & {
    verifications: Pick<VerificationStore, 'find' | 'claimExchange' | 'finish' | 'releaseExchange'>
  },
): ReturnFromVerification {
  const { verifications, secrets, clock, pause, patienceMs = PATIENCE_MS } = tools
  const end = endVerification(tools)
  const decisions = new SingleFlight<string | undefined>()

  return async ({ state, query, isRepeat = false }) => {
    const matched = await findByDigests(digestsOfState(state, secrets), (digest) =>
      verifications.find(digest),
    )
    if (matched === undefined) return { kind: 'unknown' }
    const { found, digest: stateDigest } = matched
    const { language, expiresAtMs, endedAtMs } = found
    const decided = redirectOf(found)
    if (decided !== undefined) {
      const isOver = clock.nowMs() >= (endedAtMs ?? expiresAtMs) + REPEATED_MS
      return isOver ? { kind: 'used', language } : { kind: 'redirect', url: decided }
    }
    if (clock.nowMs() >= expiresAtMs + GRACE_MS) return { kind: 'expired', language }
    // Visits of this process share one decision, so that many of them cause only one query at a time.
    const browser = readBrowserReturn(query)
    const decision = decisions.run(stateDigest, () => decide(found, stateDigest, { browser, isRepeat }))
    const url = await orLater(decision)
    return url === undefined ? { kind: 'unavailable', language } : { kind: 'redirect', url }
  }

  async function decide(
    verification: StoredVerification,
    stateDigest: string,
    visit: { browser: BrowserReturn; isRepeat: boolean },
  ): Promise<string | undefined> {
    const { id } = verification
    const claimedAtMs = clock.nowMs()
    if (await verifications.claimExchange({ id, atMs: claimedAtMs })) {
      return end.byAsking(verification, { ...visit, claimedAtMs })
    }
    const waited = await awaitEnd(stateDigest)
    return waited === 'given-up' ? end.asFailed(verification) : waited
  }

  /** Returns the redirect of the other visit; undefined when that visit has released the claim. */
  async function awaitEnd(stateDigest: string): Promise<string | undefined | 'given-up'> {
    const untilMs = clock.monotonicMs() + patienceMs
    for (;;) {
      const current = await verifications.find(stateDigest)
      const url = current && redirectOf(current)
      if (url !== undefined || current?.claimedAtMs === null) return url
      if (clock.monotonicMs() >= untilMs) return 'given-up'
      await pause(LOOK_AGAIN_MS)
    }
  }

  function redirectOf({ id, encryptedRedirect }: StoredVerification): string | undefined {
    return encryptedRedirect === null ? undefined : openKept('redirect', encryptedRedirect, id, secrets)
  }
}

/** Returns undefined while the store is unreachable: the result is then written in the background. */
async function orLater(url: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await url
  } catch (error) {
    if (error instanceof ApiError && error.code === 'store_unavailable') return undefined
    throw error
  }
}
