import type { SecretChangeStore } from '../../../ports/secret-change.ts'
import type { SecretState } from '../../../ports/secrets.ts'
import type { DeploymentStore } from '../../../ports/store.ts'
import { insertAudit } from '../audit/audits.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const SECRET_SWITCH = {
  /** Switches if the stored check is `fromCheck`, so that only one of two simultaneous operators succeeds. */
  switch: write(async (db, { fromCheck, to }, audit) => {
    const { numUpdatedRows } = await db
      .updateTable('deployment')
      .set({
        sealed: to.check,
        sealed_previous: to.previousCheck,
        sealed_mark_key: to.encryptedMarkKey,
        unnamed_secret: to.unnamedSecret,
        switched_at_ms: to.switchedAtMs,
      })
      .where('id', '=', DEPLOYMENT_ID)
      .where('sealed', '=', fromCheck)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await insertAudit(db, audit)
    return true
  }),

  /** Lets processes start without the previous secret. */
  end: write(async (db, { check }, audit) => {
    const { numUpdatedRows } = await db
      .updateTable('deployment')
      .set({ sealed_previous: null })
      .where('id', '=', DEPLOYMENT_ID)
      .where('sealed', '=', check)
      .where('sealed_previous', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await insertAudit(db, audit)
    return true
  }),
} satisfies Partial<StatementsOf<SecretChangeStore>>

export const DEPLOYMENT = {
  findSecretState: read(findSecretState),
  /** Stores the check unless one is stored, and returns the stored state. */
  keepSecretCheck: write(async (db, { encrypted, atMs }) => {
    await db
      .insertInto('deployment')
      .values({ id: DEPLOYMENT_ID, sealed: encrypted, probed_at_ms: atMs })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    const kept = await findSecretState(db)
    if (kept === undefined) throw new Error('the row of the deployment is gone')
    return kept
  }),

  /** Writes a row, because a full disk or a read-only server still answers reads. */
  probe: single(async (db, { atMs }) => {
    const row = await db
      .updateTable('deployment')
      .set({ probed_at_ms: atMs })
      .where('id', '=', DEPLOYMENT_ID)
      .returning('sealed')
      .executeTakeFirst()
    return row?.sealed
  }),
} satisfies Partial<StatementsOf<DeploymentStore>>

export async function findSecretState(db: Db): Promise<SecretState | undefined> {
  const row = await db
    .selectFrom('deployment')
    .select(['sealed', 'sealed_previous', 'sealed_mark_key', 'unnamed_secret', 'switched_at_ms'])
    .where('id', '=', DEPLOYMENT_ID)
    .executeTakeFirst()
  return (
    row && {
      check: row.sealed,
      previousCheck: row.sealed_previous,
      encryptedMarkKey: row.sealed_mark_key,
      unnamedSecret: row.unnamed_secret,
      switchedAtMs: row.switched_at_ms,
    }
  )
}

const DEPLOYMENT_ID = 1
