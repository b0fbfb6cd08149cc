import { ApiError } from '../../domain/api-error.ts'
import type { CallbackStore } from '../../ports/callbacks.ts'
import type { Clock } from '../../ports/clock.ts'

/** Makes the callback of an ended task due again. A running server sends it within a second. */
export function resendCallback({
  callbacks,
  clock,
}: {
  callbacks: Pick<CallbackStore, 'resend'>
  clock: Clock
}): (taskId: string) => Promise<void> {
  return async (taskId) => {
    if (await callbacks.resend({ taskId, atMs: clock.nowMs() })) return
    throw new ApiError('not_found', {
      message: `There is no callback of ${taskId} to send. "sluice task show ${taskId}" shows whether it has ended and owes one.`,
    })
  }
}
