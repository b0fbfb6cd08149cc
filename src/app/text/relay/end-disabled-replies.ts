import type { OrganizationStore } from '../../../ports/tenants.ts'
import type { LiveReplies } from './live-replies.ts'

/** Ends the running replies of organizations and users that an operator has disabled. Without a reply it makes no query. */
export function endDisabledReplies({
  live,
  organizations,
}: {
  live: LiveReplies
  organizations: Pick<OrganizationStore, 'findDisabled'>
}): () => Promise<void> {
  return async () => {
    const owners = live.owners()
    if (owners.organizationIds.length === 0) return
    live.endOf(await organizations.findDisabled(owners))
  }
}
