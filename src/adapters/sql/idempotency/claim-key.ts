import { type Kysely, sql } from 'kysely'
import type { IdempotencyClaim } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'

type Claim = IdempotencyClaim & { taskId: string; nowMs: number }

/** Whoever comes second waits until the first has committed, and then finds the key taken; one that is over is free. */
export async function claimKey(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  const { numAffectedRows } = await takeKey(db, claim)
  return numAffectedRows === 1n
}

const takeKey = hotStatement<Claim>(
  ({ keyId, key, bodyDigest, taskId, expiresAtMs, nowMs }) => sql`
    insert into idempotency_keys (api_key_id, key, body_digest, task_id, expires_at_ms)
    values (${keyId}, ${key}, ${bodyDigest}, ${taskId}, ${expiresAtMs})
    on conflict (api_key_id, key) do update
    set body_digest = excluded.body_digest, task_id = excluded.task_id, expires_at_ms = excluded.expires_at_ms
    where idempotency_keys.expires_at_ms <= ${nowMs}`,
)
