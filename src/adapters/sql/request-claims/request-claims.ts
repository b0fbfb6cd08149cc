import { sql } from 'kysely'
import type { ClaimAnswer, RequestClaim, RequestClaimStore } from '../../../ports/request-claims.ts'
import { dropExpired } from '../drop-expired.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import { type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const REQUEST_CLAIMS = {
  claim: write(
    (db, claim, traits) => (claim.others === undefined ? takeFree(db, claim) : claimAmong(db, claim, traits)),
    ({ others }) => others === undefined,
  ),

  renew: write(async (db, { ids, leaseUntilMs }, traits) => {
    for (const chunk of inChunks(await lockClaims(db, ids, traits))) {
      await sql`
        update request_claims set lease_until_ms = ${leaseUntilMs}
        where id in (${sql.join(chunk)})`.execute(db)
    }
  }),

  free: single(async (db, id) => {
    await deleteClaim(db, { id })
  }),

  dropExpired: single(dropExpired('request_claims')),
} satisfies StatementsOf<RequestClaimStore>

type RequestClaimAttempt = RequestClaim & { nowMs: number }

/** Claims the key with one insert, or finds why the insert changed nothing. A key freed in between counts as running. */
async function takeFree(db: Db, claim: RequestClaimAttempt): Promise<ClaimAnswer> {
  const { numAffectedRows } = await takeKey(db, claim)
  if (numAffectedRows === 1n) return { kind: 'claimed' }
  return (await answerOf(db, claim)) ?? { kind: 'running', id: claim.id }
}

/**
 * Claims the key while two secrets are in use and either may have claimed it. Transactions on one key run one at a time:
 * replicas with different current secrets must not both get the key.
 */
async function claimAmong(db: Db, claim: RequestClaimAttempt, traits: EngineTraits): Promise<ClaimAnswer> {
  const { keyId, keyDigest, others = [], nowMs } = claim
  const [first] = [keyDigest, ...others.map((other) => other.keyDigest)].toSorted()
  await traits.lockName(db, `${keyId} ${first}`)
  for (const other of others) {
    await sql`
      delete from request_claims where api_key_id = ${keyId} and key_digest = ${other.keyDigest}
        and (expires_at_ms <= ${nowMs} or (state = 'claimed' and lease_until_ms <= ${nowMs}))`.execute(db)
    const answer = await answerOf(db, { ...claim, ...other })
    if (answer !== undefined) return answer
  }
  return takeFree(db, claim)
}

/** Returns why the key cannot be claimed; undefined when it is free. */
async function answerOf(db: Db, claim: RequestClaimAttempt): Promise<ClaimAnswer | undefined> {
  const { rows } = await findClaim(db, claim)
  const found = rows[0]
  if (found === undefined) return undefined
  if (found.body_digest !== claim.bodyDigest) return { kind: 'other-body' }
  return { kind: found.state === 'finished' ? 'finished' : 'running', id: found.id }
}

const takeKey = hotStatement<RequestClaimAttempt>(
  ({ keyId, keyDigest, id, bodyDigest, leaseUntilMs, expiresAtMs, nowMs }) => sql`
    insert into request_claims (api_key_id, key_digest, id, body_digest, state, lease_until_ms, expires_at_ms)
    values (${keyId}, ${keyDigest}, ${id}, ${bodyDigest}, 'claimed', ${leaseUntilMs}, ${expiresAtMs})
    on conflict (api_key_id, key_digest) do update
    set id = excluded.id, body_digest = excluded.body_digest, state = excluded.state,
      lease_until_ms = excluded.lease_until_ms, expires_at_ms = excluded.expires_at_ms
    where request_claims.expires_at_ms <= ${nowMs}
      or (request_claims.state = 'claimed' and request_claims.lease_until_ms <= ${nowMs})`,
)

const findClaim = hotStatement<
  RequestClaimAttempt,
  { id: string; body_digest: string; state: 'claimed' | 'finished' }
>(
  ({ keyId, keyDigest }) => sql`
    select id, body_digest, state from request_claims
    where api_key_id = ${keyId} and key_digest = ${keyDigest}`,
)

/** Finishes claims before their usage is written. Returns those that exist; other requests took the missing keys. */
export async function finishClaims(
  db: Db,
  ids: readonly string[],
  traits: EngineTraits,
): Promise<Set<string>> {
  const found = await lockClaims(db, ids, traits)
  for (const chunk of inChunks(found)) {
    await sql`update request_claims set state = 'finished' where id in (${sql.join(chunk)})`.execute(db)
  }
  return new Set(found)
}

const deleteClaim = hotStatement<{ id: string }>(
  ({ id }) => sql`delete from request_claims where id = ${id} and state = 'claimed'`,
)

/** Locks existing claims by id: one lock order prevents deadlocks between renewal and end. */
async function lockClaims(db: Db, ids: readonly string[], traits: EngineTraits): Promise<string[]> {
  const found: string[] = []
  for (const chunk of inChunks(ids.toSorted())) {
    const { rows } = await sql<{ id: string }>`
      select id from request_claims where id in (${sql.join(chunk)})
      order by id ${traits.lockRows}`.execute(db)
    for (const { id } of rows) found.push(id)
  }
  return found
}
