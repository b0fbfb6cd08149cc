import { type Selectable, sql } from 'kysely'
import type { OperatorAccount } from '../../../domain/access/operator-account.ts'
import type { OperatorStore } from '../../../ports/operators.ts'
import { insertAudit } from '../audit/audits.ts'
import { pageOf } from '../page-of.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Tables } from '../tables.ts'

export const OPERATORS = {
  create: write(async (db, account, audit) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('operators')
      .values({
        id: account.id,
        name: account.name,
        role: account.role,
        prefix: account.prefix,
        digest: account.digest,
        created_at_ms: account.createdAtMs,
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) return false
    await insertAudit(db, audit)
    return true
  }),

  /** Lists operators, the newest first, with revoked ones. */
  list: read(async (db, query) => {
    const { rows } = await sql<OperatorRow>`select * from operators ${pageOf('operators', query)}`.execute(db)
    return rows.map(toOperator)
  }),

  revoke: write(async (db, change, audit) => {
    const ended = await db
      .updateTable('operators')
      .set({ revoked_at_ms: change.revokedAtMs })
      .where('id', '=', change.id)
      .where('revoked_at_ms', 'is', null)
      .executeTakeFirst()
    if (ended.numUpdatedRows === 1n) await insertAudit(db, audit)
    const row = await db.selectFrom('operators').selectAll().where('id', '=', change.id).executeTakeFirst()
    return row === undefined ? undefined : toOperator(row)
  }),

  findByToken: read(async (db, digest) => {
    const row = await db
      .selectFrom('operators')
      .selectAll()
      .where('digest', '=', digest)
      .where('revoked_at_ms', 'is', null)
      .executeTakeFirst()
    return row === undefined ? undefined : toOperator(row)
  }),
} satisfies StatementsOf<OperatorStore>

type OperatorRow = Selectable<Tables['operators']>

function toOperator({ id, name, role, prefix, created_at_ms, revoked_at_ms }: OperatorRow): OperatorAccount {
  return { id, name, role, prefix, createdAtMs: created_at_ms, revokedAtMs: revoked_at_ms }
}
