import { taskJson } from '../../app/views/tasks.ts'
import { describeTask } from '../present/present-task.ts'
import { watchTask } from '../present/watch-task.ts'
import type { Verb } from '../verb.ts'

export const taskShow: Verb = {
  path: 'task show',
  usage: '<id> [--watch] [--json]',
  summary:
    'Show one task with its upstream id, its money and its callback; with --watch, until it has ended.',
  example: 'sluice task show task_019a2b3c --watch',
  next: 'sluice callback list --task <id>   or   sluice ledger refund <id>',
  json: true,
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
