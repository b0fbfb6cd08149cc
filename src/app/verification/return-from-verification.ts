import { type BrowserReturn, readBrowserReturn } from '../../domain/assets/browser-return.ts'
import type { StoredVerification, VerificationStore } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Pause } from '../../ports/pause.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { type EndTools, endVerification } from './end-verification.ts'
import { digestState } from './return-state.ts'
import { openKept } from './sealed-verification.ts'

/** Where a person's browser goes that came back from the vendor's page, or why it goes nowhere. */
export type VerificationReturn =
  | { kind: 'redirect'; url: string }
  /** Nobody made this address. */
  | { kind: 'unknown' }
  /** Nobody came back in time. */
  | { kind: 'expired' }
  /** Somebody came back, but too long ago for it to be told again. */
  | { kind: 'used' }

export type ReturnFromVerification = (visit: {
  state: string
  /** As the browser sent it. */
  query: unknown
}) => Promise<VerificationReturn>

/** Longer than an exchange may take: whoever has the right to it is given up after that. */
const PATIENCE_MS = 20_000
const LOOK_AGAIN_MS = 100

/**
 * The first visit decides, and every other one within the half hour repeats what was decided. The right to decide is
 * given out once, ever: a visit that does not get it waits for the one that did. When that one never finishes, because
 * its process died, the verification ends as a failed exchange: nobody can ask the vendor a second time.
 */
export function returnFromVerification(
  tools: EndTools & {
    verifications: Pick<VerificationStore, 'find' | 'claimExchange' | 'finish'>
    secrets: Secrets
    clock: Clock
    pause: Pause
    patienceMs?: number
  },
): ReturnFromVerification {
  const { verifications, secrets, clock, pause, patienceMs = PATIENCE_MS } = tools
  const end = endVerification(tools)

  return async ({ state, query }) => {
    const stateDigest = digestState(state, secrets)
    const found = stateDigest === undefined ? undefined : await verifications.find(stateDigest)
    if (found === undefined || stateDigest === undefined) return { kind: 'unknown' }
    if (clock.nowMs() >= found.expiresAtMs) {
      return { kind: found.sealedRedirect === null ? 'expired' : 'used' }
    }
    const url = redirectOf(found) ?? (await decide(found, stateDigest, readBrowserReturn(query)))
    return { kind: 'redirect', url }
  }

  async function decide(
    verification: StoredVerification,
    stateDigest: string,
    browser: BrowserReturn,
  ): Promise<string> {
    const claim = { id: verification.id, atMs: clock.nowMs() }
    if (await verifications.claimExchange(claim)) return end.byAsking(verification, browser)
    return (await awaitEnd(stateDigest)) ?? end.asFailed(verification)
  }

  async function awaitEnd(stateDigest: string): Promise<string | undefined> {
    const untilMs = clock.monotonicMs() + patienceMs
    for (;;) {
      const current = await verifications.find(stateDigest)
      const url = current && redirectOf(current)
      if (url !== undefined || clock.monotonicMs() >= untilMs) return url
      await pause(LOOK_AGAIN_MS)
    }
  }

  function redirectOf({ id, sealedRedirect }: StoredVerification): string | undefined {
    return sealedRedirect === null ? undefined : openKept('redirect', sealedRedirect, id, secrets)
  }
}
