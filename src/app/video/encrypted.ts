import type { ContentItem, VideoRequest } from '../../domain/video/request.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredTask, TaskWithContent, WholeTask } from '../../ports/tasks.ts'
import type { ContentLinks } from '../media/own-links.ts'

export const contentBoundTo = (taskId: string) => `content:${taskId}`
export const ticketBoundTo = (taskId: string) => `ticket:${taskId}`
export const callbackUrlBoundTo = (taskId: string) => `callback:${taskId}`
export const requestBoundTo = (taskId: string) => `request:${taskId}`

/** An attempt id is the task id, a dot and a number; its ticket is bound to the task. */
export const taskOfAttempt = (attemptId: string) => attemptId.slice(0, attemptId.lastIndexOf('.'))

/** A link opens the video for any client that has it, and so may a vendor's ticket, so the store keeps both encrypted. */
export function encryptContent(
  content: Readonly<Record<string, unknown>>,
  taskId: string,
  secrets: Secrets,
): string {
  return secrets.encrypt(JSON.stringify(content), contentBoundTo(taskId))
}

export function encryptTicket(ticket: string, taskId: string, secrets: Secrets): string {
  return secrets.encrypt(ticket, ticketBoundTo(taskId))
}

export function encryptCallbackUrl(url: string, taskId: string, secrets: Secrets): string {
  return secrets.encrypt(url, callbackUrlBoundTo(taskId))
}

/** A request without the members that the task row has. */
type KeptRequest = Omit<VideoRequest, 'callbackUrl' | 'metadata'>

/** Encrypts the request of a task that a stand-in may have to make, because it contains prompts and addresses. */
export function encryptRequest(request: VideoRequest, taskId: string, secrets: Secrets): string {
  const { callbackUrl: _url, metadata: _metadata, ...kept } = request
  return secrets.encrypt(JSON.stringify(kept satisfies KeptRequest), requestBoundTo(taskId))
}

/** Returns undefined when the request was encrypted with another secret. */
export function openRequest(encrypted: string, taskId: string, secrets: Secrets): VideoRequest | undefined {
  const text = secrets.decrypt(encrypted, requestBoundTo(taskId))
  if (text === undefined) return undefined
  const kept: KeptRequest = JSON.parse(text)
  return { ...kept, items: kept.items.map(withMoment), callbackUrl: undefined, metadata: '{}' }
}

/** JSON has no NaN, which stands for a time stamp that is not a number. */
function withMoment(item: ContentItem): ContentItem {
  const isNoNumber = item.kind !== 'text' && item.timeStampSeconds === null
  return isNoNumber ? { ...item, timeStampSeconds: Number.NaN } : item
}

/** Returns undefined while the vendor has not answered. */
export function ticketOf({ id, encryptedTicket }: StoredTask, secrets: Secrets): string | undefined {
  return encryptedTicket === null ? undefined : secrets.decrypt(encryptedTicket, ticketBoundTo(id))
}

export function callbackUrlOf(
  { id, encryptedCallbackUrl }: Pick<WholeTask, 'id' | 'encryptedCallbackUrl'>,
  secrets: Secrets,
): string | undefined {
  return encryptedCallbackUrl === null
    ? undefined
    : secrets.decrypt(encryptedCallbackUrl, callbackUrlBoundTo(id))
}

/** Content of a withheld task. It has no link. */
const WITHHELD = { withheld: 'consent_revoked' }

/** Returns the task as its owner may see it; `links` to kept files replace those of the vendor. */
export function viewOf(
  stored: TaskWithContent & Pick<WholeTask, 'metadata'>,
  secrets: Secrets,
  links?: ContentLinks,
): TaskView {
  const task = stored.alias === undefined ? stored : { ...stored, model: stored.alias }
  if (task.withheldAtMs !== null && task.status === 'succeeded') return { ...task, content: WITHHELD }
  const opened =
    task.encryptedContent === null
      ? undefined
      : secrets.decrypt(task.encryptedContent, contentBoundTo(task.id))
  const content = opened === undefined ? null : JSON.parse(opened)
  return { ...task, content: links === undefined ? content : { ...content, ...links } }
}
