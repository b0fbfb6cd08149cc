import { isErased } from '../../domain/access/organization.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { AuditStore } from '../../ports/audit.ts'
import type { SendCallback } from '../../ports/callbacks.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { noneToChange } from '../access/no-such.ts'
import { undecryptable, validWebhookSecrets } from '../access/webhook-secret.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'

/** Sends a signed test callback. The audit row is written first, so a repeated `Idempotency-Key` sends nothing. */
export function testCallback(
  input: AuditTools & {
    organizations: Pick<OrganizationStore, 'find' | 'findWebhookSecrets'>
    audit: Pick<AuditStore, 'add'>
    secrets: Secrets
    send: SendCallback
    presentTask(task: TaskView): string
  },
): Operator['testCallback'] {
  const { organizations, audit, secrets, send, presentTask, ...tools } = input
  const secretsOf = validWebhookSecrets({ organizations, secrets })
  return async ({ organizationId, url }) => {
    const organization = await organizations.find(organizationId)
    if (organization === undefined || isErased(organization))
      throw noneToChange('organization', organizationId)
    const atMs = tools.clock.nowMs()
    const id = tools.newId('msg')
    const detail = { host: URL.parse(url)?.host ?? '' }
    const act = { action: 'callback.test', organizationId, subject: organizationId, detail }
    const signers = await secretsOf(organizationId, atMs)
    if (signers.length === 0) throw undecryptable(organizationId)
    await audit.add(draftAudit(act, tools))
    const message = { id, organizationId, url, body: presentTask(sampleTask(atMs)), atMs, secrets: signers }
    const begunMs = tools.clock.monotonicMs()
    const delivery = await send(message, new AbortController().signal)
    return {
      id,
      status: delivery.kind === 'answered' ? delivery.status : null,
      error: delivery.kind === 'answered' ? null : delivery.kind === 'failed' ? delivery.word : 'busy',
      durationMs: Math.round(tools.clock.monotonicMs() - begunMs),
    }
  }
}

/** Looks like a task that has just succeeded; its id and its metadata mark it as a test. */
function sampleTask(atMs: number): TaskView {
  return {
    id: 'task_test',
    model: 'test',
    servedModel: 'test',
    status: 'succeeded',
    createdAtMs: atMs,
    updatedAtMs: atMs,
    completedAtMs: atMs,
    deletedAtMs: null,
    content: null,
    error: null,
    metadata: '{"test":true}',
    owesCallback: true,
  }
}
