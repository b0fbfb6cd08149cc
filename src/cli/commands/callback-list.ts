import type { Operator } from '../../app/operator.ts'
import { present } from '../../app/views/present.ts'
import { ATTEMPT } from '../../app/views/tasks.ts'
import { presentTime } from '../../app/views/times.ts'
import { parseCount } from '../parse/options.ts'
import { formatTable } from '../present/format-table.ts'
import type { Verb } from '../verb.ts'

const LIMIT = 100
const LIMIT_MAX = 1_000

export const callbackList: Verb = {
  path: 'callback list',
  usage: '[--task <id>] [--limit <n>] [--json]',
  summary: 'List the latest attempts to deliver callbacks, of one task or of all, the oldest first.',
  example: 'sluice callback list --task task_019a2b3c',
  next: 'sluice callback resend <task id>',
  json: true,
  define(command, { operate, print }) {
    command
      .option('--task <id>', 'only of this task')
      .option('--limit <n>', `at most so many, ${LIMIT} by default`, parseCount({ max: LIMIT_MAX }))
      .action(({ task, limit }: { task?: string; limit?: number }) =>
        operate(async (operator) => {
          const attempts = await operator.listCallbacks({ taskId: task, limit: limit ?? LIMIT })
          print({
            json: attempts.map((row) => present(ATTEMPT, row)),
            text: formatTable(attempts.map(attemptRow), {
              none:
                task === undefined
                  ? 'No callback was tried yet.'
                  : `No callback of ${task} was tried yet. "sluice task show ${task}" says whether it has one.`,
            }),
          })
        }),
      )
  },
}

type PrintedAttempt = Awaited<ReturnType<Operator['listCallbacks']>>[number]

function attemptRow({ taskId, attempt, atMs, status, error }: PrintedAttempt): Record<string, string> {
  return {
    TASK: taskId,
    ATTEMPT: attempt.toString(),
    AT: presentTime(atMs),
    STATUS: status?.toString() ?? 'no answer',
    ERROR: error ?? '-',
  }
}
