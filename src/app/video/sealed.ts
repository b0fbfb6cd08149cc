import type { TaskView } from '../../domain/video/task-view.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredTask, TaskWithContent, WholeTask } from '../../ports/tasks.ts'

/** A link opens the video for any client that has it, and so may a vendor's handle: the store keeps both encrypted. */
export function sealContent(
  content: Readonly<Record<string, unknown>>,
  taskId: string,
  secrets: Secrets,
): string {
  return secrets.seal(JSON.stringify(content), `content:${taskId}`)
}

export function sealTicket(ticket: string, taskId: string, secrets: Secrets): string {
  return secrets.seal(ticket, `ticket:${taskId}`)
}

export function sealCallbackUrl(url: string, taskId: string, secrets: Secrets): string {
  return secrets.seal(url, `callback:${taskId}`)
}

/** undefined while the vendor has not answered. */
export function ticketOf({ id, sealedTicket }: StoredTask, secrets: Secrets): string | undefined {
  return sealedTicket === null ? undefined : secrets.open(sealedTicket, `ticket:${id}`)
}

export function callbackUrlOf({ id, sealedCallbackUrl }: WholeTask, secrets: Secrets): string | undefined {
  return sealedCallbackUrl === null ? undefined : secrets.open(sealedCallbackUrl, `callback:${id}`)
}

/** The task as its owner may see it. */
export function viewOf(task: TaskWithContent & Pick<WholeTask, 'metadata'>, secrets: Secrets): TaskView {
  const opened =
    task.sealedContent === null ? undefined : secrets.open(task.sealedContent, `content:${task.id}`)
  return { ...task, content: opened === undefined ? null : JSON.parse(opened) }
}
