import { ApiError } from '../../domain/api-error.ts'
import type { AuditStore } from '../../ports/audit.ts'
import type { ErasedGroup, ErasureStore, GroupRef } from '../../ports/erasures.ts'
import type { KeptValues } from '../../ports/kept-values.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/invalidations.ts'
import type { Operator } from '../operator.ts'
import { bodyShareOf } from '../requests/record-bodies.ts'
import type { Runtime } from '../runtime.ts'
import { eraseReplies } from '../text/kept/reply-store.ts'
import { replayShareOf } from '../text/replay/replay-replies.ts'
import { itemShareOf } from '../text/vendor-state/recent-items.ts'
import type { ConsentUrlOf } from '../verification/consent-link.ts'
import { noSuch } from './no-such.ts'

type EraseTenant = Pick<Operator, 'showPerson' | 'erasePerson' | 'eraseOrganization' | 'eraseUser'>

/**
 * Erases a verified person, a user or a whole organization. The rows are deleted first, so that no later task can use
 * them. The result lists the copies that the vendor still has, and which of them the gateway asks the vendor to delete.
 */
export function eraseTenant(
  input: AuditTools &
    Pick<Runtime, 'cache' | 'log'> & {
      erasures: ErasureStore
      /** Providers that the gateway can ask to delete their copies. */
      deletableProviders: readonly string[]
      consentUrlOf: ConsentUrlOf
      stored: KeptValues
    },
): EraseTenant {
  const { erasures, deletableProviders, consentUrlOf, cache, stored, log, ...tools } = input
  return {
    async showPerson(group) {
      const person = await erasures.findPerson(group)
      if (person === undefined) throw noPerson(group)
      return { ...person, consentUrl: consentUrlOf(person.id) }
    },
    async erasePerson(group) {
      if ((await erasures.findPerson(group)) === undefined) throw noPerson(group)
      const erased = await eraseGroup(group, 'person.erase')
      if (erased === undefined) throw noPerson(group)
      return erased
    },
    async eraseOrganization(id) {
      const act = { action: 'organization.erase', organizationId: id, subject: id, detail: {} }
      const audit = draftAudit(act, tools)
      const files = await erasures.eraseOrganization({ id, atMs: tools.clock.nowMs(), audit })
      if (files === undefined) throw noSuch('organization', id)
      await announceQuotaChange({ kind: 'organization', id }, { cache, log })
      // If a step below fails, the operator repeats the erasure. Groups come last, so that the repetition can still list
      // the vendor's copies.
      await eraseKeptReplies(id)
      const groups: ErasedGroup[] = []
      for (const groupId of await erasures.listGroups(id)) {
        const erased = await eraseGroup({ groupId, organizationId: id }, 'group.erase')
        if (erased !== undefined) groups.push(erased)
      }
      return { id, groups, files }
    },
    async eraseUser(id) {
      const act = { action: 'user.erase', organizationId: null, subject: id, detail: {} }
      const audit = draftAudit(act, tools)
      const organizationId = await erasures.eraseUser({ id, atMs: tools.clock.nowMs(), audit })
      if (organizationId === undefined) throw noSuch('user', id)
      await announceQuotaChange({ kind: 'user', id }, { cache, log })
      return { id, organizationId }
    },
  }

  /** Erases replies in Redis and in the store, where a deployment kept them before it got a Redis. */
  async function eraseKeptReplies(organizationId: string): Promise<void> {
    try {
      await stored.deleteShare(bodyShareOf(organizationId))
      await eraseReplies(organizationId, stored)
      await eraseReplies(organizationId, cache)
      await eraseCached(organizationId, { cache })
    } catch (cause) {
      const message =
        'The organization is erased, but not all of its kept replies could be reached. Erase it again.'
      throw new ApiError('store_unavailable', { message, cause })
    }
  }

  function eraseGroup(group: GroupRef, action: string): Promise<ErasedGroup | undefined> {
    const { groupId, organizationId } = group
    return erasures.eraseGroup(
      group,
      draftAudit({ action, organizationId, subject: groupId, detail: {} }, tools),
      deletableProviders,
    )
  }
}

/** Erasures are repeated for this time, which is longer than a reply can run after its organization was erased. */
const LATE_MS = 3_600_000
const REPEATED_MAX = 1_000

/** Repeats recent erasures: this process may have replies in its memory, and a reply may end after the erasure. */
export function repeatErasures(
  tools: ReplyCache & Pick<Runtime, 'clock'> & { audit: Pick<AuditStore, 'list'> },
) {
  return async (): Promise<void> => {
    const recent = { fromMs: tools.clock.nowMs() - LATE_MS, limit: REPEATED_MAX }
    const rows = await tools.audit.list({ action: 'organization.erase', ...recent })
    for (const { subject } of rows) await eraseCached(subject, tools)
  }
}

type ReplyCache = Pick<Runtime, 'cache'>

async function eraseCached(organizationId: string, { cache }: ReplyCache): Promise<void> {
  await cache.deleteShare(replayShareOf(organizationId))
  await cache.deleteShare(itemShareOf(organizationId))
}

function noPerson({ groupId, organizationId }: GroupRef): ApiError {
  return new ApiError('not_found', { message: `There is no person ${groupId} in ${organizationId}.` })
}
