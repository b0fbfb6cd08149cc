import { ApiError } from '../../domain/api-error.ts'
import type { AssetDriver } from '../../ports/asset-driver.ts'
import type { AssetStore, StoredGroup } from '../../ports/asset-store.ts'
import type { Clock, Pause } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { NewId } from '../../ports/secrets.ts'
import { SingleFlight } from '../jobs/single-flight.ts'
import type { WriteRetries } from '../waiting/retry-write.ts'
import { apiErrorOf, orFailed } from './asset-vendor.ts'
import { DEFAULT_GROUP_LEASE_MS, holdGroupClaim } from './default-group-claim.ts'

/** The group for what an organization uploads without naming one. It is made when it is needed first. */
export interface DefaultGroup {
  obtain(vendor: GroupMaker, organizationId: string): Promise<StoredGroup>
  /** Another one in its place, because the vendor no longer knows this one. */
  replace(vendor: GroupMaker, gone: StoredGroup): Promise<StoredGroup>
}

export interface DefaultGroupTools {
  assets: Pick<
    AssetStore,
    'findDefaultGroup' | 'claimDefaultGroup' | 'releaseDefaultGroup' | 'setDefaultGroup'
  >
  retries: WriteRetries
  newId: NewId
  clock: Clock
  pause: Pause
  log: Log
  /** How long a request waits for a group that another one makes. */
  patienceMs?: number
}

/** Longer than the lease: who waits for a maker that died makes the group instead. */
const PATIENCE_MS = DEFAULT_GROUP_LEASE_MS + 5_000
const LOOK_AGAIN_MS = 50

/** The vendor has made it and only this process knows its id, so the write is repeated while the store fails. */
const RETRY_WRITE_MS = 10 * 60_000

/** However many need it at once, in this process or in others, one of them makes it and the others wait. */
export function defaultGroup(tools: DefaultGroupTools): DefaultGroup {
  const { assets, retries, newId, clock, pause, log, patienceMs = PATIENCE_MS } = tools
  const searches = new SingleFlight<StoredGroup>()

  return {
    obtain: (vendor, organizationId) => share(vendor, { organizationId, goneTicket: undefined }),
    replace: (vendor, { organizationId, ticket }) => share(vendor, { organizationId, goneTicket: ticket }),
  }

  /** Requests of this process look together, so that a crowd is one reader of the store. */
  function share(vendor: GroupMaker, wish: Wish): Promise<StoredGroup> {
    const name = `${wish.organizationId} ${wish.goneTicket ?? ''}`
    return searches.run(name, () => findOrMake(vendor, wish))
  }

  async function findOrMake(vendor: GroupMaker, wish: Wish): Promise<StoredGroup> {
    const { provider } = vendor
    const { organizationId, goneTicket: seenTicket } = wish
    const untilMs = clock.monotonicMs() + patienceMs
    for (;;) {
      const found = await find(provider, wish)
      if (found !== undefined) return found
      const nowMs = clock.nowMs()
      const claim = { organizationId, provider, seenTicket, leaseUntilMs: nowMs + DEFAULT_GROUP_LEASE_MS }
      if (await assets.claimDefaultGroup({ ...claim, nowMs })) return make(vendor, claim)
      if (clock.monotonicMs() >= untilMs) throw unavailable()
      await pause(LOOK_AGAIN_MS)
    }
  }

  async function find(provider: string, { organizationId, goneTicket }: Wish) {
    const group = await assets.findDefaultGroup({ organizationId, provider })
    return group?.ticket === goneTicket ? undefined : group
  }

  async function make(
    { provider, driver, canDelete }: GroupMaker,
    claim: Parameters<typeof holdGroupClaim>[0],
  ): Promise<StoredGroup> {
    const { organizationId, seenTicket: insteadOf } = claim
    const held = holdGroupClaim(claim, tools)
    try {
      const id = newId('group')
      const creation = await orFailed(driver.createGroup({ organizationId, name: id }))
      if (creation.kind !== 'made') {
        await held.release()
        throw apiErrorOf(creation, { isAboutAPerson: false })
      }
      const ticket = creation.groupTicket
      const createdAtMs = clock.nowMs()
      const made = { id, organizationId, kind: 'default', provider, ticket, createdAtMs, insteadOf } as const
      const write = () => assets.setDefaultGroup({ ...made, isRemover: canDelete })
      const stored = await retries.retryUntilStored(write, { organizationId, forMs: RETRY_WRITE_MS })
      if (stored !== undefined) return stored
      if (!canDelete) log.warn('asset.group_left', { provider, organizationId, reason: ticket })
      throw new ApiError('organization_disabled')
    } finally {
      // Not given back: it ends with the write, and while that is still tried, no process should make another.
      await held.stop()
    }
  }
}

/** As much of the asset vendor as this takes. */
interface GroupMaker {
  provider: string
  driver: Pick<AssetDriver, 'createGroup'>
  canDelete: boolean
}

interface Wish {
  organizationId: string
  goneTicket: string | undefined
}

function unavailable(): ApiError {
  const cause = new Error('another request did not finish the default group in time')
  return new ApiError('provider_unavailable', { message: 'The asset service is not available.', cause })
}
