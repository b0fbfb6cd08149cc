import type { NewAudit } from '../../ports/audit.ts'
import { presentTime } from './times.ts'

export function auditJson({ id, atMs, actor, action, organizationId, subject, detail }: NewAudit) {
  return { id, at: presentTime(atMs), actor, action, organization_id: organizationId, subject, detail }
}
