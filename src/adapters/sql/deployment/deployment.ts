import { sql } from 'kysely'
import type { SecretChangeStore } from '../../../ports/secret-change.ts'
import type { SecretState } from '../../../ports/secrets.ts'
import type { DeploymentStore } from '../../../ports/store.ts'
import { insertAudit } from '../audit/audits.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const SECRET_SWITCH = {
  /** Switches if the stored check is `fromCheck`, so that only one of two simultaneous operators succeeds. */
  switch: write(async (db, { fromCheck, to }, audit) => {
    const { numAffectedRows } = await sql`
      update deployment set
        sealed = ${to.check}, sealed_previous = ${to.previousCheck}, sealed_mark_key = ${to.encryptedMarkKey},
        unnamed_secret = ${to.unnamedSecret}, switched_at_ms = ${to.switchedAtMs}
      where id = ${DEPLOYMENT_ID} and sealed = ${fromCheck}`.execute(db)
    if (numAffectedRows !== 1n) return false
    await insertAudit(db, audit)
    return true
  }),

  /** Lets processes start without the previous secret. */
  end: write(async (db, { check }, audit) => {
    const { numAffectedRows } = await sql`
      update deployment set sealed_previous = null
      where id = ${DEPLOYMENT_ID} and sealed = ${check} and sealed_previous is not null`.execute(db)
    if (numAffectedRows !== 1n) return false
    await insertAudit(db, audit)
    return true
  }),
} satisfies Partial<StatementsOf<SecretChangeStore>>

export const DEPLOYMENT = {
  findSecretState: read(findSecretState),
  /** Stores the check unless one is stored, and returns the stored state. */
  keepSecretCheck: write(async (db, { encrypted, atMs }) => {
    await sql`
      insert into deployment (id, sealed, probed_at_ms) values (${DEPLOYMENT_ID}, ${encrypted}, ${atMs})
      on conflict (id) do nothing`.execute(db)
    const kept = await findSecretState(db)
    if (kept === undefined) throw new Error('the row of the deployment is gone')
    return kept
  }),

  /** Writes a row, because a full disk or a read-only server still answers reads. */
  probe: single(async (db, { atMs }) => {
    const { rows } = await sql<{ sealed: string }>`
      update deployment set probed_at_ms = ${atMs} where id = ${DEPLOYMENT_ID} returning sealed`.execute(db)
    return rows[0]?.sealed
  }),
} satisfies Partial<StatementsOf<DeploymentStore>>

export async function findSecretState(db: Db): Promise<SecretState | undefined> {
  const { rows } = await sql<SecretState>`
    select sealed as "check", sealed_previous as "previousCheck", sealed_mark_key as "encryptedMarkKey",
      unnamed_secret as "unnamedSecret", switched_at_ms as "switchedAtMs"
    from deployment where id = ${DEPLOYMENT_ID}`.execute(db)
  return rows[0] && { ...rows[0] }
}

const DEPLOYMENT_ID = 1
