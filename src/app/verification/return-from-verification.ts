import { ApiError } from '../../domain/api-error.ts'
import { type BrowserReturn, readBrowserReturn } from '../../domain/assets/browser-return.ts'
import type { Language } from '../../domain/assets/verification-request.ts'
import type { StoredVerification, VerificationStore } from '../../ports/asset-store.ts'
import { findByDigests } from '../access/find-by-digests.ts'
import { SingleFlight } from '../jobs/single-flight.ts'
import { openKept } from './encrypted-verification.ts'
import { type EndTools, endVerification } from './end-verification.ts'
import { digestsOfState } from './return-state.ts'

/** Where a person's browser goes that came back from the vendor's page, or why it goes nowhere. */
export type VerificationReturn =
  | { kind: 'redirect'; url: string }
  /** We did not make this address. */
  | { kind: 'unknown' }
  /** With the language that the client chose; null when it is not stored. */
  | { kind: 'expired' | 'used' | 'unavailable'; language: Language | null }

export type ReturnFromVerification = (visit: {
  state: string
  /** As the browser sent it. */
  query: unknown
  /** The page of an earlier visit tries again by itself: the vendor's failure was counted then. */
  isRepeat?: boolean
}) => Promise<VerificationReturn>

/** A scan that began just before the link expired takes its time too. */
const GRACE_MS = 5 * 60_000

/** For so long after the end a reload gets the same redirect again. */
const REPEATED_MS = 30 * 60_000

/** Longer than the visit with the right to the exchange may take: after this it is considered dead. */
const PATIENCE_MS = 30_000
const LOOK_AGAIN_MS = 100

/**
 * The first visit decides, and every other one within half an hour of that repeats what was decided. The right to
 * decide belongs to one visit at a time, and another that comes meanwhile waits. It is given back only when the vendor
 * has certainly not taken the token: then `unavailable`, and a reload tries again. When its holder never finishes, because
 * its process died, the verification ends as a failed exchange: whether the vendor was asked is unknown.
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
    const asked = await findByDigests(digestsOfState(state, secrets), (digest) => verifications.find(digest))
    if (asked === undefined) return { kind: 'unknown' }
    const { found, digest: stateDigest } = asked
    const { language, expiresAtMs, endedAtMs } = found
    const told = redirectOf(found)
    if (told !== undefined) {
      const isOver = clock.nowMs() >= (endedAtMs ?? expiresAtMs) + REPEATED_MS
      return isOver ? { kind: 'used', language } : { kind: 'redirect', url: told }
    }
    if (clock.nowMs() >= expiresAtMs + GRACE_MS) return { kind: 'expired', language }
    // Visits of this process wait together, so that a crowd is one reader of the store.
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

  /** Where the other visit's browser goes; undefined when that one has given the right back. */
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

/** undefined while the store is unreachable: the result is then written in the background. */
async function orLater(url: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await url
  } catch (error) {
    if (error instanceof ApiError && error.code === 'store_unavailable') return undefined
    throw error
  }
}
