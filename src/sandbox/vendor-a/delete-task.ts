import { jsonReply, type SandboxReply, type SandboxRequest } from '../part.ts'
import type { Step } from '../tasks/life.ts'
import { errorReply } from './error-reply.ts'
import type { TaskDesk } from './task-desk.ts'

/** A waiting task is cancelled, one that has ended is forgotten, one at work or cancelled stays as it is. */
export function deleteTask(desk: TaskDesk, { params, clock }: SandboxRequest): SandboxReply {
  const id = params.id ?? ''
  const found = desk.find(id, clock)
  if (found === undefined) return errorReply(desk.notFound(id))
  switch (found.step.stage) {
    case 'queued': {
      const step: Step = { stage: 'cancelled', atMs: clock.nowMs() }
      desk.cancelled.set(id, step)
      desk.notices.interrupt(id, step)
      break
    }
    case 'running':
      return refuse('RunningTaskDeletion', 'The task is running and cannot be deleted.')
    case 'cancelled':
      return refuse('CancelledTaskDeletion', 'The task has been cancelled and cannot be deleted.')
    default:
      desk.deleted.set(id, true)
      desk.notices.interrupt(id, undefined)
  }
  return jsonReply(200, {})
}

function refuse(what: string, message: string): SandboxReply {
  return errorReply({ status: 400, code: `InvalidAction.${what}`, message, param: 'id' })
}
