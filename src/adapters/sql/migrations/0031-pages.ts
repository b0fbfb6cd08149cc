import { type Kysely, sql } from 'kysely'

const PAGED = ['api_keys', 'video_tasks', 'audit_events', 'assets', 'asset_groups', 'verifications'] as const

/** What an operator reads page by page, of one organization: newest first, and nothing is sorted. */
export function createPages(): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    for (const table of PAGED) {
      const index = sql.ref(`${table}_paged`)
      await sql`create index ${index} on ${sql.ref(table)} (organization_id, id)`.execute(db)
    }
  }
}
