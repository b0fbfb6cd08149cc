import type { Selectable } from 'kysely'
import type { StoredVerification } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'

export type VerificationRow = Selectable<Tables['verifications']>

export function toStoredVerification(row: VerificationRow): StoredVerification {
  return {
    id: row.id,
    organizationId: row.organization_id,
    provider: row.provider,
    sealedToken: row.sealed_token,
    sealedCallbackUrl: row.sealed_callback_url,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    claimedAtMs: row.exchanged_at_ms,
    sealedRedirect: row.sealed_redirect,
    endedAtMs: row.ended_at_ms,
    language: row.language,
  }
}
