import type { StreamError } from '@sluice/dialects/canonical/reply-event'
import { ERRORS } from '../../../domain/errors.ts'
import type { Log } from '../../../ports/log.ts'
import type { OrganizationStore, ReplyOwners } from '../../../ports/tenants.ts'

export interface LiveReply {
  /** Index in the list of live replies; the list assigns it. */
  slot: number
  tick(): void
  failWith(failure: StreamError): void
}

export interface ReplyOwner {
  organizationId: string
  userId: string
}

/** All running replies of this process, for keep-alive events and the end of the process. */
export interface LiveReplies {
  readonly count: number
  readonly streamCount: number
  add(reply: LiveReply, owner: ReplyOwner, kind: 'whole' | 'stream'): void
  remove(reply: LiveReply): void
  tick(): void
  owners(): ReplyOwners
  endOf(disabled: ReplyOwners): void
  /** Ends every reply, and every later one, with an error, because the process stops. */
  endAll(): void
}

const LEAVING: StreamError = {
  kind: 'draining',
  message: 'The gateway is restarting and could not wait any longer. Send the request again.',
}

const ORGANIZATION_DISABLED: StreamError = {
  kind: 'organization-disabled',
  message: ERRORS.organization_disabled.message,
}

const USER_DISABLED: StreamError = { kind: 'user-disabled', message: ERRORS.user_disabled.message }

/**
 * Keeps replies in an array. A `Set` that is constantly filled and emptied leaves old tables behind, through which the
 * young-generation collector keeps finished requests alive. A `Set` cost a tenth of the time of every request.
 */
export function liveReplies(log: Log): LiveReplies {
  const slots: (LiveReply | undefined)[] = []
  /** Owner by slot; the owner of a free slot stays until the next reply. */
  const owners: ReplyOwner[] = []
  const kinds: ('whole' | 'stream')[] = []
  const free: number[] = []
  let isLeaving = false

  function each(visit: (reply: LiveReply, owner: ReplyOwner | undefined) => void): void {
    for (const [slot, reply] of slots.entries()) {
      if (reply === undefined) continue
      try {
        visit(reply, owners[slot])
      } catch (error) {
        log.error('stream.tick_failed', { error })
      }
    }
  }

  return {
    get count() {
      return slots.length - free.length
    },
    // Counted on demand, so that a request pays nothing for it.
    get streamCount() {
      return slots.filter((reply, slot) => reply !== undefined && kinds[slot] === 'stream').length
    },
    add(reply, owner, kind) {
      reply.slot = free.pop() ?? slots.length
      slots[reply.slot] = reply
      owners[reply.slot] = owner
      kinds[reply.slot] = kind
      if (isLeaving) reply.failWith(LEAVING)
    },
    remove(reply) {
      if (slots[reply.slot] !== reply) return
      slots[reply.slot] = undefined
      free.push(reply.slot)
    },
    tick: () => each((reply) => reply.tick()),
    owners() {
      const organizationIds = new Set<string>()
      const userIds = new Set<string>()
      each((_reply, owner) => {
        if (owner === undefined) return
        organizationIds.add(owner.organizationId)
        userIds.add(owner.userId)
      })
      return { organizationIds: [...organizationIds], userIds: [...userIds] }
    },
    endOf({ organizationIds, userIds }) {
      const [organizations, users] = [new Set(organizationIds), new Set(userIds)]
      each((reply, owner) => {
        if (owner === undefined) return
        if (organizations.has(owner.organizationId)) reply.failWith(ORGANIZATION_DISABLED)
        else if (users.has(owner.userId)) reply.failWith(USER_DISABLED)
      })
    },
    endAll() {
      isLeaving = true
      each((reply) => reply.failWith(LEAVING))
    },
  }
}

/** Ends the running replies of organizations and users that an operator has disabled. Makes no query while no reply runs. */
export function endDisabledReplies(input: {
  live: LiveReplies
  organizations: Pick<OrganizationStore, 'findDisabled'>
}): () => Promise<void> {
  const { live, organizations } = input
  return async () => {
    const owners = live.owners()
    if (owners.organizationIds.length === 0) return
    live.endOf(await organizations.findDisabled(owners))
  }
}
