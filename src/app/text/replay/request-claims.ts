import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { ClaimAnswer, RequestClaim, RequestClaimStore } from '../../../ports/request-claims.ts'
import type { NewId } from '../../../ports/secrets.ts'
import type { UsageClaim } from '../../billing/spent.ts'

/** Two renewals may fail before it is over. A process that died with a request frees its key by then. */
const LEASE_MS = 30_000
const CHARGED_ONCE_FOR_MS = 24 * 3_600_000

export type Wanted = Pick<RequestClaim, 'keyId' | 'keyDigest' | 'bodyDigest' | 'others'>

export type Claimed =
  | { kind: 'claimed'; claim: HeldClaim }
  | Exclude<ClaimAnswer, { kind: 'claimed' }>
  /** As `running`, in this process: its usage row will be written as long as the process lives. */
  | { kind: 'running-here'; id: string }

/** The claims of this process on `Idempotency-Key`s; what they mean is drawn in `ports/request-claims.ts`. */
export interface RequestClaims {
  /** Rejects while the store is unreachable: without it nothing keeps the key from being charged twice. */
  claim(wanted: Wanted): Promise<Claimed>
  /** Puts off the leases of everything that is held. */
  renew(): Promise<void>
}

/**
 * A claim that this process holds and renews.
 *
 *   running -> charged -> over   its usage row is written, or never will be
 *      |
 *      +----------------> over   freed: nothing was charged
 */
export interface HeldClaim extends UsageClaim {
  /** Changes nothing once it is charged. */
  free(): Promise<void>
}

export function createRequestClaims({
  requestClaims: store,
  clock,
  newId,
  log,
}: {
  requestClaims: RequestClaimStore
  clock: Clock
  newId: NewId
  log: Log
}): RequestClaims {
  /** By API key and key. */
  const held = new Map<string, { id: string; bodyDigest: string }>()

  return {
    async claim(wanted) {
      // A request of our own still runs, whatever clock and store say of its lease.
      const running = held.get(placeOf(wanted))
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
      // It may have been written although the answer was lost, and nothing runs for it.
      void release(id)
      throw error
    }
  }

  function hold(id: string, wanted: Wanted): HeldClaim {
    const place = placeOf(wanted)
    let state: 'running' | 'charged' | 'over' = 'running'
    const end = () => {
      state = 'over'
      if (held.get(place)?.id === id) held.delete(place)
    }
    held.set(place, { id, bodyDigest: wanted.bodyDigest })
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

function placeOf({ keyId, keyDigest }: Wanted): string {
  return `${keyId} ${keyDigest}`
}
