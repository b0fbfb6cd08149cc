import { taskJson } from '../../app/views/tasks.ts'
import { parseCount } from '../parse/options.ts'
import { formatTable } from '../present/format-table.ts'
import { taskRow } from '../present/present-task.ts'
import type { Verb } from '../verb.ts'

const LIMIT = 20
const LIMIT_MAX = 1_000

export const taskList: Verb = {
  path: 'task list',
  usage: '[--org <id>] [--limit <n>] [--json]',
  summary: `List the latest tasks, of one organization or of all: ${LIMIT} unless told otherwise.`,
  example: 'sluice task list --org org_019a2b3c --limit 50',
  next: 'sluice task show <id> --watch',
  json: true,
  define(command, { operate, print }) {
    command
      .option('--org <id>', 'only of this organization')
      .option('--limit <n>', `at most so many, ${LIMIT} by default`, parseCount({ max: LIMIT_MAX }))
      .action(({ org, limit }: { org?: string; limit?: number }) =>
        operate(async (operator) => {
          const tasks = await operator.listTasks({ organizationId: org, limit: limit ?? LIMIT })
          print({
            json: tasks.map(taskJson),
            text: formatTable(tasks.map(taskRow), {
              none: 'No task yet. Clients make them with POST /v1/video/generations.',
            }),
          })
        }),
      )
  },
}
