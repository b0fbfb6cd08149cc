import { type Kysely, sql } from 'kysely'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'

export async function findVendorIds(
  db: Kysely<Tables>,
  { organizationId, digests, nowMs }: { organizationId: string; digests: readonly string[]; nowMs: number },
): Promise<string[]> {
  const found: string[] = []
  for (const chunk of inChunks(digests)) {
    const { rows } = await sql<{ digest: string }>`
      select digest from vendor_ids
      where digest in (${sql.join(chunk)}) and organization_id = ${organizationId}
        and expires_at_ms > ${nowMs}`.execute(db)
    for (const { digest } of rows) found.push(digest)
  }
  return found
}
