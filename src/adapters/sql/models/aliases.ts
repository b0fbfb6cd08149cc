import { aliasConflict, type ModelAlias } from '../../../domain/catalog/alias.ts'
import type { ModelStore } from '../../../ports/models.ts'
import { insertAudit } from '../audit/audits.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { lockOrganization } from '../tenants/lock-organization.ts'

export const MODEL_ALIASES = {
  aliases: read(listAliases),

  /** Locks the models, so that no new model takes the alias's name at the same time. */
  setAlias: write(async (db, alias, audit, traits) => {
    await traits.lockTable(db, 'models')
    const rows = await db.selectFrom('models').select('name').execute()
    const names = rows.map(({ name }) => name)
    const conflict = aliasConflict(alias, { names, aliases: await listAliases(db) })
    if (conflict !== undefined) throw conflict
    const { organizationId } = alias
    if (organizationId !== null && !(await lockOrganization(db, organizationId, traits))) return false
    await db
      .insertInto('model_aliases')
      .values({
        organization_id: organizationId ?? EVERY_ORGANIZATION,
        alias: alias.alias,
        model: alias.model,
        created_at_ms: audit.atMs,
      })
      .onConflict((row) => row.columns(['organization_id', 'alias']).doUpdateSet({ model: alias.model }))
      .execute()
    await insertAudit(db, audit)
    return true
  }),

  removeAlias: write(async (db, { alias, organizationId }, audit) => {
    const { numDeletedRows } = await db
      .deleteFrom('model_aliases')
      .where('organization_id', '=', organizationId ?? EVERY_ORGANIZATION)
      .where('alias', '=', alias)
      .executeTakeFirst()
    if (numDeletedRows > 0n) await insertAudit(db, audit)
    return numDeletedRows > 0n
  }),
} satisfies Partial<StatementsOf<ModelStore>>

const EVERY_ORGANIZATION = ''

export async function listAliases(db: Db): Promise<ModelAlias[]> {
  const rows = await db
    .selectFrom('model_aliases')
    .select(['alias', 'model', 'organization_id'])
    .orderBy('alias')
    .orderBy('organization_id')
    .execute()
  return rows.map(({ alias, model, organization_id: organizationId }) => ({
    alias,
    model,
    organizationId: organizationId === EVERY_ORGANIZATION ? null : organizationId,
  }))
}
