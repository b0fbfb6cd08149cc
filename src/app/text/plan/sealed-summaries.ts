import { COMPACTION_PREFIX } from '../../../llm/responses/compaction/own-compactions.ts'
import type { Secrets } from '../../../ports/secrets.ts'

/** Summaries as clients keep them: encrypted, so that nothing of them is kept here. */
export interface SealedSummaries {
  seal(organizationId: string, summary: string): string
  /** undefined: it was not sealed for this organization, or was changed. */
  open(organizationId: string, sealed: string): string | undefined
}

export function sealedSummaries({ secrets }: { secrets: Secrets }): SealedSummaries {
  return {
    seal: (organizationId, summary) => COMPACTION_PREFIX + secrets.encrypt(summary, ownerOf(organizationId)),
    open: (organizationId, sealed) =>
      secrets.decrypt(sealed.slice(COMPACTION_PREFIX.length), ownerOf(organizationId)),
  }
}

function ownerOf(organizationId: string): string {
  return `compaction ${organizationId}`
}
