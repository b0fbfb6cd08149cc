import type { Kysely } from 'kysely'
import type { NewVerification } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'

export async function createVerification(db: Kysely<Tables>, verification: NewVerification): Promise<void> {
  await db
    .insertInto('verifications')
    .values({
      id: verification.id,
      organization_id: verification.organizationId,
      provider: verification.provider,
      state_digest: verification.stateDigest,
      sealed_token: verification.sealedToken,
      sealed_callback_url: verification.sealedCallbackUrl,
      created_at_ms: verification.createdAtMs,
      expires_at_ms: verification.expiresAtMs,
      language: verification.language,
    })
    .execute()
}
