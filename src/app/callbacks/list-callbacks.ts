import type { CallbackAttempt, CallbackStore } from '../../ports/callbacks.ts'

/** The attempts at the callback of one task, or of all of them, the oldest first. */
export type ListCallbacks = (query: {
  taskId: string | undefined
  limit: number
}) => Promise<CallbackAttempt[]>

export function listCallbacks({
  callbacks,
}: {
  callbacks: Pick<CallbackStore, 'listAttempts'>
}): ListCallbacks {
  return (query) => callbacks.listAttempts(query)
}
