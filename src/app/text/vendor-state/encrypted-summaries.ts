import { COMPACTION_PREFIX } from '@sluice/dialects/responses/compaction/own-compactions'
import type { Secrets } from '../../../ports/secrets.ts'

/** Encrypts summaries of conversations for clients, which keep them. The gateway stores none. */
export interface EncryptedSummaries {
  encrypt(organizationId: string, summary: string): string
  /** Returns undefined when the text was not encrypted for this organization, or was changed. */
  decrypt(organizationId: string, encrypted: string): string | undefined
}

export function encryptedSummaries({ secrets }: { secrets: Secrets }): EncryptedSummaries {
  return {
    encrypt: (organizationId, summary) =>
      COMPACTION_PREFIX + secrets.encrypt(summary, ownerOf(organizationId)),
    decrypt: (organizationId, encrypted) =>
      secrets.decrypt(encrypted.slice(COMPACTION_PREFIX.length), ownerOf(organizationId)),
  }
}

function ownerOf(organizationId: string): string {
  return `compaction ${organizationId}`
}
