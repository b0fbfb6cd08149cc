import { type RawBuilder, sql } from 'kysely'
import type { OperatorStore } from '../../../ports/operators.ts'
import { insertAudit } from '../audit/audits.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { columnsOf } from '../columns-of.ts'
import { readPage } from '../page-of.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const OPERATORS = {
  create: write(async (db, { id, name, role, prefix, digest, createdAtMs }, audit) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('operators')
      .values(columnsOf({ id, name, role, prefix, digest, createdAtMs }))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) return false
    await insertAudit(db, audit)
    return true
  }),

  /** Lists operators, the newest first, with revoked ones. */
  list: read((db, query) => readPage(db, 'operators', COLUMNS, query)),

  revoke: write(async (db, change, audit) => {
    const { numAffectedRows } = await sql`
      update operators set revoked_at_ms = ${change.revokedAtMs}
      where id = ${change.id} and revoked_at_ms is null`.execute(db)
    if (numAffectedRows === 1n) await insertAudit(db, audit)
    return find(db, sql`id = ${change.id}`)
  }),

  findByToken: read((db, digest) => find(db, sql`digest = ${digest} and revoked_at_ms is null`)),
} satisfies StatementsOf<OperatorStore>

const COLUMNS = columnsAs('operators', ['id', 'name', 'role', 'prefix', 'createdAtMs', 'revokedAtMs'])

type OperatorRow = NamedRow<typeof COLUMNS>

async function find(db: Db, where: RawBuilder<unknown>): Promise<OperatorRow | undefined> {
  const { rows } = await sql<OperatorRow>`select ${COLUMNS} from operators where ${where}`.execute(db)
  return rows[0] && { ...rows[0] }
}
