import type { Verb } from '../verb.ts'

export const callbackResend: Verb = {
  path: 'callback resend',
  usage: '<task id> [--json]',
  summary: 'Send the callback of an ended task again, with up to three attempts. It keeps its id.',
  example: 'sluice callback resend task_019a2b3c',
  next: 'sluice callback list --task <task id>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<task id>', 'the task').action((given: string) =>
      operate(async (operator) => {
        const taskId = await operator.resendCallback(given)
        print({
          json: { task_id: taskId, callback: 'pending' },
          text: `The callback of ${taskId} is due again: a running server sends it within seconds.\nNext: sluice callback list --task ${taskId}`,
        })
      }),
    )
  },
}
