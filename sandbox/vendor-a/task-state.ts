import type { SandboxClock } from '../clock.ts'
import { lifeOf, type Step, stepAt } from '../tasks/life.ts'
import type { VendorAError } from './error-reply.ts'
import type { Notices } from './notices.ts'
import { createRemembered, type Remembered } from './remembered.ts'
import { readTaskId, type VendorATask } from './task.ts'

/** What the ids do not carry: which tasks were made, cancelled and deleted since the start. */
export interface TaskState {
  created: Remembered<true>
  cancelled: Remembered<Step>
  deleted: Remembered<true>
  notices: Notices
  /** A task and the step it has reached; undefined: the vendor does not know it, or no longer. */
  find(id: string, clock: SandboxClock): FoundTask | undefined
  notFound(id: string): VendorAError
}

export interface FoundTask {
  task: VendorATask
  step: Step
}

const REMEMBERED_MAX = 10_000
const LISTED_MAX = 1_000

export function createTaskDesk(notices: Notices): TaskState {
  const cancelled = createRemembered<Step>({ idsMax: REMEMBERED_MAX })
  const deleted = createRemembered<true>({ idsMax: REMEMBERED_MAX })
  return {
    created: createRemembered<true>({ idsMax: LISTED_MAX }),
    cancelled,
    deleted,
    notices,
    find(id, clock) {
      const task = readTaskId(id)
      if (task === undefined || deleted.get(id) !== undefined) return undefined
      const step = cancelled.get(id) ?? stepAt(lifeOf(task, clock), clock.nowMs())
      return step.stage === 'gone' ? undefined : { task, step }
    },
    notFound: (id) => ({
      status: 404,
      code: 'ResourceNotFound',
      message: `The specified resource ${JSON.stringify(id.slice(0, 80))} is not found.`,
      param: 'id',
    }),
  }
}
