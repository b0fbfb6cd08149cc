import type { ClaimAnswer, RequestClaim, RequestClaimStore } from '../../../ports/request-claims.ts'
import type { UsageClaim } from '../../billing/spent.ts'
import type { Runtime } from '../../runtime.ts'

/** Two renewals may fail before a lease expires. The keys of a process that died are free after this time. */
const LEASE_MS = 30_000
const CHARGED_ONCE_FOR_MS = 24 * 3_600_000

export type Wanted = Pick<RequestClaim, 'keyId' | 'keyDigest' | 'bodyDigest' | 'others'>

export type Claimed =
  | { kind: 'claimed'; claim: HeldClaim }
  | Exclude<ClaimAnswer, { kind: 'claimed' }>
  /** The request runs in this process, which writes its usage row as long as it lives. */
  | { kind: 'running-here'; id: string }

/** Claims of this process on `Idempotency-Key`s; `ports/request-claims.ts` shows their states. */
export interface RequestClaims {
  /** Rejects while the store is unreachable, because a key could otherwise be charged twice. */
  claim(wanted: Wanted): Promise<Claimed>
  renew(): Promise<void>
}

/**
 * A claim that this process holds and renews.
 *
 *   running -> charged -> over   its usage row is written, or never will be
 *      |
 *      +----------------> over   freed without a charge
 */
export interface HeldClaim extends UsageClaim {
  /** Does nothing after the charge. */
  free(): Promise<void>
}

export function createRequestClaims(
  tools: Pick<Runtime, 'clock' | 'log' | 'newId'> & {
    requestClaims: RequestClaimStore
  },
): RequestClaims {
  const { requestClaims: store, clock, newId, log } = tools
  const held = new Map<string, { id: string; bodyDigest: string }>()

  return {
    async claim(wanted) {
      // A request of this process still runs, even if its lease looks expired.
      const running = held.get(keyOf(wanted))
      if (running === undefined) return ask(wanted)
      return running.bodyDigest === wanted.bodyDigest
        ? { kind: 'running-here', id: running.id }
        : { kind: 'other-body' }
    },
    async renew() {
      if (held.size === 0) return
      const ids = [...held.values()].map(({ id }) => id)
      await store.renew({ ids, leaseUntilMs: clock.nowMs() + LEASE_MS })
    },
  }

  async function ask(wanted: Wanted): Promise<Claimed> {
    const id = newId('claim')
    const nowMs = clock.nowMs()
    const [leaseUntilMs, expiresAtMs] = [nowMs + LEASE_MS, nowMs + CHARGED_ONCE_FOR_MS]
    try {
      const answer = await store.claim({ ...wanted, id, leaseUntilMs, expiresAtMs, nowMs })
      return answer.kind === 'claimed' ? { kind: 'claimed', claim: hold(id, wanted) } : answer
    } catch (error) {
      // The claim may have been written although the response was lost, and no request runs for it.
      void release(id)
      throw error
    }
  }

  function hold(id: string, wanted: Wanted): HeldClaim {
    const key = keyOf(wanted)
    let state: 'running' | 'charged' | 'over' = 'running'
    const end = () => {
      state = 'over'
      if (held.get(key)?.id === id) held.delete(key)
    }
    held.set(key, { id, bodyDigest: wanted.bodyDigest })
    return {
      id,
      charged() {
        if (state === 'running') state = 'charged'
      },
      ended: end,
      async free() {
        if (state !== 'running') return
        end()
        await release(id)
      },
    }
  }

  async function release(id: string): Promise<void> {
    try {
      await store.free(id)
    } catch (error) {
      log.debug('claim.release_failed', { error })
    }
  }
}

function keyOf({ keyId, keyDigest }: Wanted): string {
  return `${keyId} ${keyDigest}`
}
