import { sql } from 'kysely'
import type { OperatorSession } from '../../../domain/access/operator-session.ts'
import type { OperatorSessionStore } from '../../../ports/operators.ts'
import { insertAudit } from '../audit/audits.ts'
import { dropExpired } from '../drop-expired.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const OPERATOR_SESSIONS = {
  open: write(async (db, { digest, session, keptMax, replaces = [] }, audit) => {
    for (const replaced of replaces) await endOperatorSession(db, replaced)
    await sql`
      insert into operator_sessions
        (digest, actor, role, method, operator_id, binding, created_at_ms, expires_at_ms, ends_at_ms)
      values (
        ${digest}, ${session.actor}, ${session.role}, ${session.method}, ${session.operatorId}, ${session.binding},
        ${session.createdAtMs}, ${session.expiresAtMs}, ${session.endsAtMs}
      )`.execute(db)
    await sql`
      delete from operator_sessions where digest in (
        select digest from operator_sessions where actor = ${session.actor} and digest <> ${digest}
        order by created_at_ms desc, digest limit 1000 offset ${keptMax - 1}
      )`.execute(db)
    await insertAudit(db, audit)
  }),

  find: read(async (db, digest) => {
    const { rows } = await sql<OperatorSession>`
      select actor, operator_sessions.role, method, operator_id as "operatorId", binding,
        operator_sessions.created_at_ms as "createdAtMs", expires_at_ms as "expiresAtMs", ends_at_ms as "endsAtMs"
      from operator_sessions left join operators on operators.id = operator_sessions.operator_id
      where operator_sessions.digest = ${digest} and operators.revoked_at_ms is null`.execute(db)
    return rows[0] && { ...rows[0] }
  }),

  /** Keeps the later expiry when two replicas renew a session at the same time. */
  renew: single(async (db, { digest, expiresAtMs }) => {
    await sql`
      update operator_sessions set expires_at_ms = ${expiresAtMs}
      where digest = ${digest} and expires_at_ms < ${expiresAtMs}`.execute(db)
  }),

  end: single(endOperatorSession),
  keepLink: single(async (db, { digest, expiresAtMs }) => {
    await sql`
      insert into sign_in_links (digest, expires_at_ms) values (${digest}, ${expiresAtMs})`.execute(db)
  }),

  /** Lets a link work once: only the request that deletes the row succeeds. */
  useLink: single(async (db, { digest, nowMs }) => {
    const { numAffectedRows } = await sql`
      delete from sign_in_links where digest = ${digest} and expires_at_ms > ${nowMs}`.execute(db)
    return numAffectedRows === 1n
  }),

  dropExpired: single(async (db, pass, traits) => {
    await dropExpired('operator_sessions')(db, pass, traits)
    await dropExpired('sign_in_links')(db, pass, traits)
  }),
} satisfies StatementsOf<OperatorSessionStore>

export async function endOperatorSession(db: Db, digest: string): Promise<void> {
  await sql`delete from operator_sessions where digest = ${digest}`.execute(db)
}
