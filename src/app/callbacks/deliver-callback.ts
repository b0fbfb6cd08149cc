import { callbackOutcome, extendedOutcome } from '../../domain/callbacks/callback-retry.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { CallbackStore, DueCallback } from '../../ports/callbacks.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { validWebhookSecrets } from '../access/webhook-secret.ts'
import type { OwnLinks } from '../media/own-links.ts'
import { callbackUrlOf, viewOf } from '../video/encrypted.ts'
import { type Deliver, deliverMessage, type MessageTools, UNSENDABLE } from './deliver-message.ts'

export type DeliverCallback = Deliver<DueCallback>

export interface DeliverTools extends MessageTools {
  callbacks: Pick<CallbackStore, 'recordAttempt' | 'giveBack'>
  tasks: Pick<TaskStore, 'findWhole'>
  organizations: Pick<OrganizationStore, 'findWebhookSecrets'>
  /** Presents the body of a callback: the JSON text that a client gets for the task. */
  presentTask(task: TaskView): string
  secrets: Secrets
  /** Left out: no files are kept. */
  links?: OwnLinks | undefined
}

export function deliverCallback(tools: DeliverTools): DeliverCallback {
  const { callbacks, tasks, presentTask, secrets, clock, links } = tools
  const secretsOf = validWebhookSecrets(tools)
  return deliverMessage<DueCallback>({
    ...tools,
    outcomeOf: (result, { retryUntilMs }) =>
      retryUntilMs === null ? callbackOutcome(result) : extendedOutcome(result, retryUntilMs - clock.nowMs()),
    async write({ id, taskId, organizationId }, atMs) {
      const [task, signers] = await Promise.all([tasks.findWhole(taskId), secretsOf(organizationId, atMs)])
      const url = task && callbackUrlOf(task, secrets)
      if (task === undefined || url === undefined) return UNSENDABLE.withoutAddress
      // The receiver could not tell an unsigned message from a forged one.
      if (signers.length === 0) return UNSENDABLE.withoutSecret
      const own = task.status === 'succeeded' ? (await links?.([taskId]))?.get(taskId) : undefined
      const body = presentTask(viewOf(task, secrets, own))
      return { id, organizationId, url, body, atMs, secrets: signers }
    },
    record: ({ id: callbackId, fence, taskId }, { attempt, ...record }) =>
      callbacks.recordAttempt({ callbackId, fence, attempt: { taskId, ...attempt }, ...record }),
    giveBack: ({ id: callbackId, fence }, nextAttemptAtMs) =>
      callbacks.giveBack({ callbackId, fence, nextAttemptAtMs }),
  })
}
