import { type Kysely, type Selectable, sql } from 'kysely'
import type { OperatorAccount } from '../../domain/access/operator-account.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { NewOperatorAccount } from '../../ports/operators.ts'
import type { PageQuery } from '../../ports/page-query.ts'
import { insertAudit } from './audits.ts'
import { pageOf } from './page-of.ts'
import type { Tables } from './tables.ts'

export async function createOperator(
  db: Kysely<Tables>,
  { account, audit }: { account: NewOperatorAccount; audit: NewAudit },
): Promise<boolean> {
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
}

/** Newest first, revoked ones too. */
export async function listOperators(db: Kysely<Tables>, query: PageQuery): Promise<OperatorAccount[]> {
  const { rows } = await sql<Row>`select * from operators ${pageOf('operators', query)}`.execute(db)
  return rows.map(toOperator)
}

export async function revokeOperator(
  db: Kysely<Tables>,
  { change, audit }: { change: { id: string; revokedAtMs: number }; audit: NewAudit },
): Promise<OperatorAccount | undefined> {
  const ended = await db
    .updateTable('operators')
    .set({ revoked_at_ms: change.revokedAtMs })
    .where('id', '=', change.id)
    .where('revoked_at_ms', 'is', null)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 1n) await insertAudit(db, audit)
  const row = await db.selectFrom('operators').selectAll().where('id', '=', change.id).executeTakeFirst()
  return row === undefined ? undefined : toOperator(row)
}

export async function findOperatorByToken(
  db: Kysely<Tables>,
  { digest }: { digest: string },
): Promise<OperatorAccount | undefined> {
  const row = await db
    .selectFrom('operators')
    .selectAll()
    .where('digest', '=', digest)
    .where('revoked_at_ms', 'is', null)
    .executeTakeFirst()
  return row === undefined ? undefined : toOperator(row)
}

type Row = Selectable<Tables['operators']>

function toOperator({ id, name, role, prefix, created_at_ms, revoked_at_ms }: Row): OperatorAccount {
  return { id, name, role, prefix, createdAtMs: created_at_ms, revokedAtMs: revoked_at_ms }
}
