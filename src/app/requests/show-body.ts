import { ApiError } from '../../domain/api-error.ts'
import type { AuditStore } from '../../ports/audit.ts'
import type { KeptValues } from '../../ports/kept-values.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { bodyKeyOf, type RecordedBody } from './record-bodies.ts'

/** Shows the recorded bodies of a request. Every look leaves an audit row. */
export type ShowBody = (requestId: string) => Promise<RecordedBody>

export function showBody(
  tools: AuditTools & { stored: KeptValues; secrets: Secrets; audit: Pick<AuditStore, 'add'> },
): ShowBody {
  const { stored, secrets, audit } = tools
  return async (requestId) => {
    const key = bodyKeyOf(requestId)
    const kept = await stored.get(key)
    const text = kept === undefined ? undefined : secrets.decrypt(kept, key)
    if (text === undefined)
      throw new ApiError('not_found', { message: `No body of the request ${requestId} is kept.` })
    const body: RecordedBody = JSON.parse(text)
    const { organizationId } = body
    await audit.add(
      draftAudit({ action: 'request.body', organizationId, subject: requestId, detail: {} }, tools),
    )
    return body
  }
}
