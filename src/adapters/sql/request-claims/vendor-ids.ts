import { sql } from 'kysely'
import type { VendorIdStore } from '../../../ports/request-claims.ts'
import { dropExpired } from '../drop-expired.ts'
import { inChunks } from '../in-chunks.ts'
import { read, type StatementsOf, single } from '../statement.ts'

export const VENDOR_IDS = {
  /** Writes in one order, so that replicas with the same ids cannot deadlock. */
  keep: single(async (db, { owners, expiresAtMs }) => {
    const once = new Map(owners.map((owner) => [`${owner.digest} ${owner.organizationId}`, owner]))
    const sorted = [...once].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, owner]) => owner)
    for (const chunk of inChunks(sorted)) {
      const rows = chunk.map(
        ({ digest, organizationId }) => sql`(${digest}, ${organizationId}, ${expiresAtMs})`,
      )
      await sql`
        insert into vendor_ids (digest, organization_id, expires_at_ms) values ${sql.join(rows)}
        on conflict (digest, organization_id)
        do update set expires_at_ms = excluded.expires_at_ms`.execute(db)
    }
  }),

  find: read(async (db, { organizationId, digests, nowMs }) => {
    const found: string[] = []
    for (const chunk of inChunks(digests)) {
      const { rows } = await sql<{ digest: string }>`
        select digest from vendor_ids
        where digest in (${sql.join(chunk)}) and organization_id = ${organizationId}
          and expires_at_ms > ${nowMs}`.execute(db)
      for (const { digest } of rows) found.push(digest)
    }
    return found
  }),

  dropExpired: single(dropExpired('vendor_ids')),
} satisfies StatementsOf<VendorIdStore>
