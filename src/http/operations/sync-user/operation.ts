import { json, NOT_BLANK } from '../../../domain/json/json-schema.ts'
import { operatorNameOf, SYNC_FAILED, SYNC_NOT_WIRED, syncRunner } from '../../admin/run-sync.ts'
import type { Operation } from '../../operation.ts'
import { parseId } from '../../schema/parse-id.ts'

const userId = json.string({
  description: 'The user whose row was changed.',
  pattern: NOT_BLANK,
  examples: ['usr_1'],
})

export const syncUser: Operation = {
  id: 'syncUser',
  method: 'POST',
  path: '/admin/quota/cache/sync/user',
  area: 'admin',
  access: 'admin',
  summary: "Reload a user's daily limit",
  description:
    'With `enable_limit` false only the entry is updated. With a limit in force every daily bucket of the user gets it, and there are buckets for today and tomorrow. A user who is no longer stored is removed with all buckets.',
  body: { schema: json.object({ user_id: userId }), limitBytes: 1024 * 1024 },
  replies: {
    200: {
      description: 'The cache is what the store says.',
      schema: json.object({ ok: json.literal(true), user_id: userId }),
    },
    400: {
      description:
        '`user_id is required`, `body must be valid JSON`, or `enable_limit=true requires max_daily_user_limit > 0`; nothing was changed',
    },
    500: { description: `\`${SYNC_FAILED}\`: the store or the cache did not answer` },
    503: { description: `\`${SYNC_NOT_WIRED}\`, or the gateway is busy` },
  },
  handle(parts) {
    const runSync = syncRunner(parts)
    return async ({ body, admin }) => {
      const id = parseId(body, 'user_id')
      await runSync((quotaSync) => quotaSync.user(id, operatorNameOf(admin)))
      return { ok: true, user_id: id }
    }
  },
}
