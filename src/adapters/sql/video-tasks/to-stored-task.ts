import type { Selectable } from 'kysely'
import type { StoredTask } from '../../../ports/tasks.ts'
import type { Tables } from '../tables.ts'

export type TaskRow = Selectable<Tables['video_tasks']>

export function toStoredTask(row: TaskRow): StoredTask {
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    keyId: row.api_key_id,
    model: row.model,
    provider: row.provider,
    status: row.status,
    metadata: JSON.parse(row.metadata),
    sealedTicket: row.sealed_ticket,
    sealedContent: row.sealed_content,
    error: toError(row),
    pricing: JSON.parse(row.pricing),
    sealedCallbackUrl: row.sealed_callback_url,
    owesCallback: Boolean(row.owes_callback),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    completedAtMs: row.completed_at_ms,
    deletedAtMs: row.deleted_at_ms,
    expiresAtMs: row.expires_at_ms,
  }
}

function toError({ error_code: code, error_message: message }: TaskRow): StoredTask['error'] {
  return code === null || message === null ? null : { code, message }
}
