import { taskJson } from '../../app/views/tasks.ts'
import { parseCount } from '../parse/options.ts'
import { describeTask, taskRow } from '../present/present-task.ts'
import { watchTask } from '../present/watch-task.ts'
import type { Verb } from '../verb.ts'
import { forOne, listing } from './define-verb.ts'

const LIMIT = 20
const LIMIT_MAX = 1_000

export const taskList: Verb = {
  path: 'task list',
  summary: `List the latest tasks, of one organization or of all: ${LIMIT} unless told otherwise.`,
  example: 'sluice task list --org org_019a2b3c --limit 50',
  next: 'sluice task show <id> --watch',
  define(command, { operate, print }) {
    command
      .option('--org <id>', 'only of this organization')
      .option('--limit <n>', `at most so many, ${LIMIT} by default`, parseCount({ max: LIMIT_MAX }))
      .action(({ org, limit }: { org?: string; limit?: number }) =>
        operate(async (operator) => {
          const tasks = await operator.listTasks({ organizationId: org, limit: limit ?? LIMIT })
          const none = 'No task yet. Clients make them with POST /v1/video/generations.'
          print(listing(tasks, { json: taskJson, cells: taskRow, none }))
        }),
      )
  },
}

export const taskShow: Verb = {
  path: 'task show',
  summary: 'Show one task with its upstream id, its money and its callback; with --watch, until it ends.',
  example: 'sluice task show task_019a2b3c --watch',
  next: 'sluice callback list --task <id>   or   sluice ledger refund <id>',
  define(command, { operate, print, openScreen }) {
    command
      .argument('<id>', 'the task')
      .option('--watch', 'follow it until it has ended; Ctrl-C leaves, and changes nothing')
      .action((id: string, { watch = false, json = false }: { watch?: boolean; json?: boolean }) =>
        operate(async (operator) => {
          const show = () => operator.showTask(id)
          const task = watch ? await watchTask({ show, openScreen, silent: json }) : await show()
          print({ json: taskJson(task), text: describeTask(task) })
        }),
      )
  },
}

export const taskResume: Verb = {
  path: 'task resume',
  summary: 'Make a task due again that was set aside because its row could not be read.',
  example: 'sluice task resume task_019a2b3c',
  next: 'sluice task show <id>',
  define: forOne('<id>', 'the task', async (operator, given) => {
    const id = await operator.resumeTask(given)
    return {
      json: { id, set_aside_at: null },
      text: `${id} is due again: a running server asks its vendor within seconds.\nNext: sluice task show ${id}`,
    }
  }),
}
