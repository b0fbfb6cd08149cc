import { ApiError } from '../../domain/api-error.ts'
import type { AssetDriver } from '../../ports/asset-driver.ts'
import type { AssetStore, StoredGroup } from '../../ports/asset-store.ts'
import { withDeadline } from '../jobs/deadline.ts'
import { SingleFlight } from '../jobs/single-flight.ts'
import type { Runtime } from '../runtime.ts'
import type { WriteRetries } from '../waiting/retry-write.ts'
import { apiErrorOf, orFailed } from './asset-vendor.ts'

/** The lease is short: if the process that makes the group dies, the organization's first uploads wait for its end. */
const DEFAULT_GROUP_LEASE_MS = 15_000
/** One or two renewals may fail before the lease ends. */
const RENEW_EVERY_MS = 4_000

type GroupClaim = Omit<Parameters<AssetStore['claimDefaultGroup']>[0], 'nowMs'>

/** The group for uploads of an organization that name no group. It is made when it is first needed. */
export interface DefaultGroup {
  obtain(vendor: GroupMaker, organizationId: string): Promise<StoredGroup>
  /** Makes another group, because the vendor no longer knows this one. */
  replace(vendor: GroupMaker, gone: StoredGroup): Promise<StoredGroup>
}

export interface DefaultGroupTools extends Pick<Runtime, 'clock' | 'log' | 'newId' | 'pause'> {
  assets: Pick<
    AssetStore,
    'findDefaultGroup' | 'claimDefaultGroup' | 'releaseDefaultGroup' | 'setDefaultGroup'
  >
  retries: WriteRetries
  patienceMs?: number
}

/** Longer than the lease, so that a waiting request makes the group itself if the process with the claim dies. */
const PATIENCE_MS = DEFAULT_GROUP_LEASE_MS + 5_000
const LOOK_AGAIN_MS = 50

/** Only this process knows the id of the vendor's group, so the write is repeated while the store fails. */
const RETRY_WRITE_MS = 10 * 60_000

/** When several requests need the group at the same time, even in several processes, one makes it and the rest wait. */
export function defaultGroup(tools: DefaultGroupTools): DefaultGroup {
  const { assets, retries, newId, clock, pause, log, patienceMs = PATIENCE_MS } = tools
  const searches = new SingleFlight<StoredGroup>()

  return {
    obtain: (vendor, organizationId) => share(vendor, { organizationId, goneTicket: undefined }),
    replace: (vendor, { organizationId, ticket }) => share(vendor, { organizationId, goneTicket: ticket }),
  }

  /** Requests of this process share one search, so that many of them cause only one query at a time. */
  function share(vendor: GroupMaker, wanted: WantedGroup): Promise<StoredGroup> {
    const name = `${wanted.organizationId} ${wanted.goneTicket ?? ''}`
    return searches.run(name, () => findOrMake(vendor, wanted))
  }

  async function findOrMake(vendor: GroupMaker, wanted: WantedGroup): Promise<StoredGroup> {
    const { provider } = vendor
    const { organizationId, goneTicket: seenTicket } = wanted
    const untilMs = clock.monotonicMs() + patienceMs
    for (;;) {
      const found = await find(provider, wanted)
      if (found !== undefined) return found
      const nowMs = clock.nowMs()
      const claim = { organizationId, provider, seenTicket, leaseUntilMs: nowMs + DEFAULT_GROUP_LEASE_MS }
      if (await assets.claimDefaultGroup({ ...claim, nowMs })) return make(vendor, claim)
      if (clock.monotonicMs() >= untilMs) throw unavailable()
      await pause(LOOK_AGAIN_MS)
    }
  }

  async function find(provider: string, { organizationId, goneTicket }: WantedGroup) {
    const group = await assets.findDefaultGroup({ organizationId, provider })
    return group?.ticket === goneTicket ? undefined : group
  }

  async function make({ provider, driver, canDelete }: GroupMaker, claim: GroupClaim): Promise<StoredGroup> {
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
      // The claim is not released: it ends with the write, and no process may make another group while the write is
      // retried.
      await held.stop()
    }
  }
}

/** Members of `AssetVendor` that making a group needs. */
interface GroupMaker {
  provider: string
  driver: Pick<AssetDriver, 'createGroup'>
  canDelete: boolean
}

interface WantedGroup {
  organizationId: string
  goneTicket: string | undefined
}

function unavailable(): ApiError {
  const cause = new Error('another request did not finish the default group in time')
  return new ApiError('provider_unavailable', { message: 'The asset service is not available.', cause })
}

/** Renews the claim to make a default group until the group is made, which may take longer than the lease. */
function holdGroupClaim(
  claim: GroupClaim,
  input: Pick<Runtime, 'clock' | 'pause'> & {
    assets: Pick<AssetStore, 'claimDefaultGroup' | 'releaseDefaultGroup'>
  },
) {
  const { assets, clock, pause } = input
  const over = new AbortController()
  let { leaseUntilMs } = claim
  const renewing = renew()

  return {
    stop,
    /** Stops the renewals, and lets others claim immediately. */
    async release() {
      await stop()
      // When the store is unreachable, the lease lapses by itself.
      await assets.releaseDefaultGroup({ ...claim, leaseUntilMs }).catch(() => {})
    },
  }

  async function stop(): Promise<void> {
    over.abort()
    await renewing
  }

  async function renew(): Promise<void> {
    do {
      await withDeadline(pause(RENEW_EVERY_MS), { signal: over.signal })
    } while (!over.signal.aborted && (await renewOnce()))
  }

  /** Returns false when another process has the claim. The end of the lease identifies the holder. */
  async function renewOnce(): Promise<boolean> {
    const next = clock.nowMs() + DEFAULT_GROUP_LEASE_MS
    try {
      const isMine = await assets.claimDefaultGroup({ ...claim, nowMs: leaseUntilMs, leaseUntilMs: next })
      if (isMine) leaseUntilMs = next
      return isMine
    } catch {
      // While the store is unreachable, no other process can claim the group either.
      return true
    }
  }
}
