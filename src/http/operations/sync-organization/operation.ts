import { json, NOT_BLANK } from '../../../domain/json/json-schema.ts'
import { operatorNameOf, SYNC_FAILED, SYNC_NOT_WIRED, syncRunner } from '../../admin/run-sync.ts'
import type { Operation } from '../../operation.ts'
import { parseId } from '../../schema/parse-id.ts'

const organizationId = json.string({
  description: 'The organization whose rows were changed.',
  pattern: NOT_BLANK,
  examples: ['org_1'],
})

export const syncOrganization: Operation = {
  id: 'syncOrganization',
  method: 'POST',
  path: '/admin/quota/cache/sync/organization',
  area: 'admin',
  access: 'admin',
  summary: "Refresh an organization's quota cache",
  description:
    'Call it after you changed rows in the database directly: every replica then sees the change at once. An organization that is no longer stored is removed from the cache.',
  body: { schema: json.object({ organization_id: organizationId }), limitBytes: 1024 * 1024 },
  replies: {
    200: {
      description: 'The cache is what the store says.',
      schema: json.object({ ok: json.literal(true), organization_id: organizationId }),
    },
    400: { description: '`organization_id is required`, or `body must be valid JSON`' },
    500: { description: `\`${SYNC_FAILED}\`: the store or the cache did not answer` },
    503: { description: `\`${SYNC_NOT_WIRED}\`, or the gateway is busy` },
  },
  handle(parts) {
    const runSync = syncRunner(parts)
    return async ({ body, admin }) => {
      const id = parseId(body, 'organization_id')
      await runSync((quotaSync) => quotaSync.organization(id, operatorNameOf(admin)))
      return { ok: true, organization_id: id }
    }
  },
}
