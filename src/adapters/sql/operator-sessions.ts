import { type Kysely, sql } from 'kysely'
import type { OperatorSession } from '../../domain/access/operator-session.ts'
import type { NewAudit } from '../../ports/audit.ts'
import { insertAudit } from './audits.ts'
import type { Tables } from './tables.ts'

export async function openOperatorSession(
  db: Kysely<Tables>,
  {
    opened: { digest, session, keptMax, replaces = [] },
    audit,
  }: {
    opened: { digest: string; session: OperatorSession; keptMax: number; replaces?: readonly string[] }
    audit: NewAudit
  },
): Promise<void> {
  for (const replaced of replaces) await endOperatorSession(db, { digest: replaced })
  await db
    .insertInto('operator_sessions')
    .values({
      digest,
      actor: session.actor,
      role: session.role,
      method: session.method,
      operator_id: session.operatorId,
      binding: session.binding,
      created_at_ms: session.createdAtMs,
      expires_at_ms: session.expiresAtMs,
      ends_at_ms: session.endsAtMs,
    })
    .execute()
  await sql`
    delete from operator_sessions where digest in (
      select digest from operator_sessions where actor = ${session.actor} and digest <> ${digest}
      order by created_at_ms desc, digest limit 1000 offset ${keptMax - 1}
    )`.execute(db)
  await insertAudit(db, audit)
}

export async function findOperatorSession(
  db: Kysely<Tables>,
  { digest }: { digest: string },
): Promise<OperatorSession | undefined> {
  const row = await db
    .selectFrom('operator_sessions')
    .leftJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .selectAll('operator_sessions')
    .where('operator_sessions.digest', '=', digest)
    .where('operators.revoked_at_ms', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { actor, role, method, binding } = row
  const times = { createdAtMs: row.created_at_ms, expiresAtMs: row.expires_at_ms, endsAtMs: row.ends_at_ms }
  return { actor, role, method, binding, operatorId: row.operator_id, ...times }
}

/** Two replicas that renew it at the same time leave the later end. */
export async function renewOperatorSession(
  db: Kysely<Tables>,
  { digest, expiresAtMs }: { digest: string; expiresAtMs: number },
): Promise<void> {
  await db
    .updateTable('operator_sessions')
    .set({ expires_at_ms: expiresAtMs })
    .where('digest', '=', digest)
    .where('expires_at_ms', '<', expiresAtMs)
    .execute()
}

export async function endOperatorSession(db: Kysely<Tables>, { digest }: { digest: string }): Promise<void> {
  await db.deleteFrom('operator_sessions').where('digest', '=', digest).execute()
}

export async function keepSignInLink(
  db: Kysely<Tables>,
  { digest, expiresAtMs }: { digest: string; expiresAtMs: number },
): Promise<void> {
  await db.insertInto('sign_in_links').values({ digest, expires_at_ms: expiresAtMs }).execute()
}

/** The row that is gone decides: of two requests at the same time one gets in. */
export async function useSignInLink(
  db: Kysely<Tables>,
  { digest, nowMs }: { digest: string; nowMs: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_links')
    .where('digest', '=', digest)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
