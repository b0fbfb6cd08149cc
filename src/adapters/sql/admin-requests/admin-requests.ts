import { sql } from 'kysely'
import { ApiError } from '../../../domain/api-error.ts'
import type {
  AdminRequestAnswer,
  AdminRequestClaim,
  AdminRequestStore,
} from '../../../ports/admin-requests.ts'
import { dropExpired } from '../drop-expired.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const ADMIN_REQUESTS = {
  claim: write(
    (db, claim, traits) => (claim.others === undefined ? takeFree(db, claim) : claimAmong(db, claim, traits)),
    ({ others }) => others === undefined,
  ),

  finish: single(async (db, { id, encryptedAnswer }) => {
    await sql`
      update admin_requests set state = 'finished', sealed_answer = ${encryptedAnswer}
      where id = ${id}`.execute(db)
  }),

  free: single(async (db, id) => {
    await sql`delete from admin_requests where id = ${id} and state = 'claimed'`.execute(db)
  }),

  dropExpired: single(dropExpired('admin_requests')),
} satisfies StatementsOf<AdminRequestStore>

type AdminClaimAttempt = AdminRequestClaim & { nowMs: number }

/** Claims the key with one insert, or else finds the reason why the insert changed nothing. */
async function takeFree(db: Db, claim: AdminClaimAttempt): Promise<AdminRequestAnswer> {
  const { id, actor, keyDigest, bodyDigest, leaseUntilMs, expiresAtMs, nowMs } = claim
  const { numAffectedRows } = await sql`
    insert into admin_requests (id, actor, key_digest, body_digest, state, lease_until_ms, expires_at_ms)
    values (${id}, ${actor}, ${keyDigest}, ${bodyDigest}, 'claimed', ${leaseUntilMs}, ${expiresAtMs})
    on conflict (actor, key_digest) do update
    set id = excluded.id, body_digest = excluded.body_digest, state = excluded.state, sealed_answer = null,
      lease_until_ms = excluded.lease_until_ms, expires_at_ms = excluded.expires_at_ms
    where admin_requests.expires_at_ms <= ${nowMs}
      or (admin_requests.state = 'claimed' and admin_requests.lease_until_ms <= ${nowMs})`.execute(db)
  if (numAffectedRows === 1n) return { kind: 'claimed' }
  return (await answerOf(db, claim)) ?? { kind: 'running' }
}

/** Claims the key while two secrets are in use, as `request-claims.ts` explains. */
async function claimAmong(
  db: Db,
  claim: AdminClaimAttempt,
  traits: EngineTraits,
): Promise<AdminRequestAnswer> {
  const { actor, keyDigest, others = [], nowMs } = claim
  const [first] = [keyDigest, ...others].toSorted()
  await traits.lockName(db, `${actor} ${first}`)
  for (const other of others) {
    await sql`
      delete from admin_requests where actor = ${actor} and key_digest = ${other}
        and (expires_at_ms <= ${nowMs} or (state = 'claimed' and lease_until_ms <= ${nowMs}))`.execute(db)
    const answer = await answerOf(db, { ...claim, keyDigest: other })
    if (answer !== undefined) return answer
  }
  return takeFree(db, claim)
}

interface ClaimedRequest {
  id: string
  foundDigest: string
  state: 'claimed' | 'done' | 'finished'
  encryptedAnswer: string | null
  leaseUntilMs: number
}

/** Returns why the key cannot be claimed; undefined when it is free. */
async function answerOf(db: Db, input: AdminClaimAttempt): Promise<AdminRequestAnswer | undefined> {
  const { actor, keyDigest, bodyDigest, nowMs } = input
  const { rows } = await sql<ClaimedRequest>`
    select id, body_digest as "foundDigest", state, sealed_answer as "encryptedAnswer", lease_until_ms as "leaseUntilMs"
    from admin_requests where actor = ${actor} and key_digest = ${keyDigest}`.execute(db)
  if (rows[0] === undefined) return undefined
  const { id, foundDigest, state, encryptedAnswer, leaseUntilMs } = rows[0]
  if (foundDigest !== bodyDigest) return { kind: 'other-body' }
  if (encryptedAnswer !== null) return { kind: 'finished', id, encryptedAnswer }
  // A `done` request without an answer counts as running until its lease ends.
  return { kind: state === 'claimed' || nowMs < leaseUntilMs ? 'running' : 'done' }
}

/** Marks a request as done in the transaction of its change. Throws if the claim was lost: the change is rolled back. */
export async function markAdminRequestDone(db: Db, id: string): Promise<void> {
  const { numAffectedRows } = await sql`
    update admin_requests set state = 'done' where id = ${id} and state in ('claimed', 'done')`.execute(db)
  if (numAffectedRows !== 1n) throw new ApiError('idempotency_key_in_use')
}
