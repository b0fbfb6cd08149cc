import type { Operator } from '../../app/operator.ts'
import { ATTEMPT, TEST_DELIVERY } from '../../app/views/tasks.ts'
import { presentTime } from '../../app/views/times.ts'
import { parseCount } from '../parse/options.ts'
import type { Verb } from '../verb.ts'
import { forOne, listing } from './define-verb.ts'

const LIMIT = 100
const LIMIT_MAX = 1_000

export const callbackList: Verb = {
  path: 'callback list',
  summary: 'List the latest attempts to deliver callbacks, of one task or of all, the oldest first.',
  example: 'sluice callback list --task task_019a2b3c',
  next: 'sluice callback resend <task id>',
  define(command, { operate, print }) {
    command
      .option('--task <id>', 'only of this task')
      .option('--limit <n>', `at most so many, ${LIMIT} by default`, parseCount({ max: LIMIT_MAX }))
      .action(({ task, limit }: { task?: string; limit?: number }) =>
        operate(async (operator) => {
          const attempts = await operator.listCallbacks({ taskId: task, limit: limit ?? LIMIT })
          const none =
            task === undefined
              ? 'No callback was tried yet.'
              : `No callback of ${task} was tried yet. "sluice task show ${task}" says whether it has one.`
          print(listing(attempts, { json: ATTEMPT.present, cells: attemptRow, none }))
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

export const callbackResend: Verb = {
  path: 'callback resend',
  summary: 'Send the callback of an ended task again, with all its attempts. It keeps its id.',
  example: 'sluice callback resend task_019a2b3c',
  next: 'sluice callback list --task <task id>',
  define: forOne('<task id>', 'the task', async (operator, given) => {
    const taskId = await operator.resendCallback(given)
    return {
      json: { task_id: taskId, callback: 'pending' },
      text: `The callback of ${taskId} is due again: a running server sends it within seconds.\nNext: sluice callback list --task ${taskId}`,
    }
  }),
}

export const callbackTest: Verb = {
  path: 'callback test',
  summary:
    "Send a made-up callback to an address once, signed with the organization's secret, and say what it answered.",
  example: 'sluice callback test https://client.example/hook --org org_019a2b3c',
  next: 'sluice callback list',
  define(command, { operate, print }) {
    command
      .argument('<url>', 'the HTTPS address')
      .requiredOption('--org <id>', 'the organization whose secret signs it')
      .action((url: string, { org: organizationId }: { org: string }) =>
        operate(async (operator) => {
          const tested = await operator.testCallback({ organizationId, url })
          const result = tested.status === null ? `No answer: ${tested.error}` : `HTTP ${tested.status}`
          print({ json: TEST_DELIVERY.present(tested), text: `${result} after ${tested.durationMs} ms.` })
        }),
      )
  },
}
