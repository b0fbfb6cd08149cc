import type { CallbackStore } from '../../ports/callbacks.ts'
import type { ClipStore } from '../../ports/clips.ts'
import type { OperatorPageStore } from '../../ports/operator-pages.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import { requireRow } from '../access/no-such.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { reportAttempts, reportTask } from './task-report.ts'

/** Shows one task of any organization to an operator. The vendor is not called. */
export function showTask(
  tools: Pick<Runtime, 'clock' | 'secrets'> & { tasks: Pick<TaskStore, 'findForOperator' | 'listAttempts'> },
): Operator['showTask'] {
  const { tasks, secrets, clock } = tools
  return async (id) => {
    const task = requireRow(await tasks.findForOperator(id), 'task', id)
    const kept = task.attempt === 1 ? [] : await tasks.listAttempts(task.id)
    const vendorAttempts = reportAttempts(task, kept, secrets)
    return { ...reportTask(task, { secrets, nowMs: clock.nowMs() }), vendorAttempts }
  }
}

/** Maximum attempts shown: the latest ones. Most callbacks have fewer attempts. */
const ATTEMPTS_MAX = 100

export function showTaskHistory(
  tools: Parameters<typeof showTask>[0] & {
    operatorPages: Pick<OperatorPageStore, 'entriesOfTask' | 'snapshotsOfTask'>
    callbacks: Pick<CallbackStore, 'listAttempts'>
    clips: Pick<ClipStore, 'listOfTasks'>
  },
): Operator['showTaskHistory'] {
  const show = showTask(tools)
  return async (id) => {
    const task = await show(id)
    const { id: taskId } = task
    const entries = await tools.operatorPages.entriesOfTask(taskId)
    const attempts = await tools.callbacks.listAttempts({ taskId, limit: ATTEMPTS_MAX })
    const snapshots = await tools.operatorPages.snapshotsOfTask(taskId)
    const clips = await tools.clips.listOfTasks([taskId])
    return { task, snapshots, entries, attempts, clips }
  }
}
