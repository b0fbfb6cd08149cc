import type { Operator } from '../app/operator.ts'
import { presentTime } from './present-time.ts'

type Attempt = Awaited<ReturnType<Operator['listCallbacks']>>[number]

export function attemptJson({ taskId, attempt, atMs, status, error }: Attempt) {
  return { task_id: taskId, attempt, at: presentTime(atMs), status, error }
}

export function attemptRow({ taskId, attempt, atMs, status, error }: Attempt): Record<string, string> {
  return {
    TASK: taskId,
    ATTEMPT: attempt.toString(),
    AT: presentTime(atMs),
    STATUS: status?.toString() ?? 'no answer',
    ERROR: error ?? '-',
  }
}
