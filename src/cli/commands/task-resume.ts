import type { Verb } from '../verb.ts'

export const taskResume: Verb = {
  path: 'task resume',
  usage: '<id> [--json]',
  summary: 'Make a task due again that was set aside because its row could not be read.',
  example: 'sluice task resume task_019a2b3c',
  next: 'sluice task show <id>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the task').action((given: string) =>
      operate(async (operator) => {
        const id = await operator.resumeTask(given)
        print({
          json: { id, set_aside_at: null },
          text: `${id} is due again: a running server asks its vendor within seconds.\nNext: sluice task show ${id}`,
        })
      }),
    )
  },
}
