import { sql } from 'kysely'
import type { StoredVerification, VerificationStore } from '../../../ports/asset-store.ts'
import { columnsAs } from '../columns-as.ts'
import { columnsOf } from '../columns-of.ts'
import { read, type StatementsOf, single } from '../statement.ts'

export const VERIFICATIONS = {
  create: single(async (db, { encryptedToken, encryptedCallbackUrl, ...verification }) => {
    const { id, organizationId, provider, stateDigest, createdAtMs, expiresAtMs, language } = verification
    await db
      .insertInto('verifications')
      .values({
        ...columnsOf({ id, organizationId, provider, stateDigest, createdAtMs, expiresAtMs, language }),
        sealed_token: encryptedToken,
        sealed_callback_url: encryptedCallbackUrl,
      })
      .execute()
  }),

  find: read(async (db, stateDigest) => {
    const { rows } = await sql<StoredVerification>`
      select ${VERIFICATION_COLUMNS} from verifications where state_digest = ${stateDigest}`.execute(db)
    return rows[0] && { ...rows[0] }
  }),

  /** Lets one process call the vendor. If it dies before it releases the row, the row stays claimed. */
  claimExchange: single(async (db, { id, atMs }) => {
    const { numAffectedRows } = await sql`
      update verifications set exchanged_at_ms = ${atMs}
      where id = ${id} and exchanged_at_ms is null and sealed_redirect is null`.execute(db)
    return numAffectedRows === 1n
  }),

  /** Releases the claim of this time. A newer claim stays. */
  releaseExchange: single(async (db, { id, atMs }) => {
    await sql`
      update verifications set exchanged_at_ms = null
      where id = ${id} and exchanged_at_ms = ${atMs} and sealed_redirect is null`.execute(db)
  }),

  /** Deletes the token and stores the result. A second call keeps the values of the first. */
  finish: single(async (db, { id, encryptedRedirect, atMs }) => {
    const { rows } = await sql<StoredVerification>`
      update verifications set
        sealed_redirect = coalesce(sealed_redirect, ${encryptedRedirect}), ended_at_ms = coalesce(ended_at_ms, ${atMs}),
        sealed_token = null
      where id = ${id} returning ${VERIFICATION_COLUMNS}`.execute(db)
    return rows[0] && { ...rows[0] }
  }),

  /** Selects by the expiry, which has an index. A verification can end some minutes after its expiry. */
  dropOld: single(async (db, { expiredByMs, limit }, traits) => {
    const { numAffectedRows } = await sql`
      with old as materialized (
        select id from verifications where expires_at_ms <= ${expiredByMs}
        order by expires_at_ms limit ${limit} ${traits.lockRowsSkippingLocked}
      )
      delete from verifications where id in (select id from old)`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }),
} satisfies StatementsOf<VerificationStore>

/** Separator of `erased_tickets`; no vendor's id contains it. */
export const TICKET_END = '\n'

export const VERIFICATION_COLUMNS = columnsAs(
  'verifications',
  ['id', 'organizationId', 'provider', 'createdAtMs', 'expiresAtMs', 'endedAtMs', 'language'],
  {
    encryptedToken: 'sealed_token',
    encryptedCallbackUrl: 'sealed_callback_url',
    claimedAtMs: 'exchanged_at_ms',
    encryptedRedirect: 'sealed_redirect',
  },
)
