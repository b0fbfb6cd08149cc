import { sql } from 'kysely'
import type { RequestLogStore } from '../../../ports/request-log.ts'
import { inChunks } from '../in-chunks.ts'
import { type StatementsOf, write } from '../statement.ts'

export const REFUSED_REQUESTS = {
  writeRefused: write(async (db, rows) => {
    for (const chunk of inChunks(rows)) {
      const values = chunk.map(
        (row) => sql`(${row.id}, ${row.atMs}, ${row.organizationId}, ${row.userId}, ${row.keyId},
          ${row.operation}, ${row.status}, ${row.code}, ${row.model}, ${row.durationMs}, ${row.notKept})`,
      )
      await sql`
        insert into refused_requests (id, at_ms, organization_id, user_id, api_key_id, operation, status, code, model,
          duration_ms, not_kept)
        values ${sql.join(values)} on conflict (id) do nothing`.execute(db)
    }
  }),
} satisfies Partial<StatementsOf<RequestLogStore>>
