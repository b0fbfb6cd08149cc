import { sql } from 'kysely'
import type { OperatorSessionStore } from '../../../ports/operators.ts'
import { insertAudit } from '../audit/audits.ts'
import { dropExpired } from '../drop-expired.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const OPERATOR_SESSIONS = {
  open: write(async (db, { digest, session, keptMax, replaces = [] }, audit) => {
    for (const replaced of replaces) await endOperatorSession(db, replaced)
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
  }),

  find: read(async (db, digest) => {
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
  }),

  /** Keeps the later expiry when two replicas renew a session at the same time. */
  renew: single(async (db, { digest, expiresAtMs }) => {
    await db
      .updateTable('operator_sessions')
      .set({ expires_at_ms: expiresAtMs })
      .where('digest', '=', digest)
      .where('expires_at_ms', '<', expiresAtMs)
      .execute()
  }),

  end: single(endOperatorSession),
  keepLink: single(async (db, { digest, expiresAtMs }) => {
    await db.insertInto('sign_in_links').values({ digest, expires_at_ms: expiresAtMs }).execute()
  }),

  /** Lets a link work once: only the request that deletes the row succeeds. */
  useLink: single(async (db, { digest, nowMs }) => {
    const { numDeletedRows } = await db
      .deleteFrom('sign_in_links')
      .where('digest', '=', digest)
      .where('expires_at_ms', '>', nowMs)
      .executeTakeFirst()
    return numDeletedRows === 1n
  }),

  dropExpired: single(async (db, pass, traits) => {
    await dropExpired('operator_sessions')(db, pass, traits)
    await dropExpired('sign_in_links')(db, pass, traits)
  }),
} satisfies StatementsOf<OperatorSessionStore>

export async function endOperatorSession(db: Db, digest: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('digest', '=', digest).execute()
}
