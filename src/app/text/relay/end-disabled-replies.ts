import type { OrganizationStore } from '../../../ports/tenants.ts'
import type { LiveReplies } from './live-replies.ts'

/** Ends the running replies of organizations and users that an operator has disabled. Without a reply it makes no query. */
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
