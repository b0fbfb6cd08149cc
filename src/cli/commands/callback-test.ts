import type { Verb } from '../verb.ts'

export const callbackTest: Verb = {
  path: 'callback test',
  usage: '<url> --org ID [--json]',
  summary:
    "Send a made-up callback to an address once, signed with the organization's secret, and say what it answered.",
  example: 'sluice callback test https://client.example/hook --org org_019a2b3c',
  next: 'sluice callback list',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<url>', 'the HTTPS address')
      .requiredOption('--org <id>', 'the organization whose secret signs it')
      .action((url: string, { org: organizationId }: { org: string }) =>
        operate(async (operator) => {
          const { id, status, error, durationMs } = await operator.testCallback({ organizationId, url })
          const result = status === null ? `No answer: ${error}` : `HTTP ${status}`
          print({
            json: { id, status, error, duration_ms: durationMs },
            text: `${result} after ${durationMs} ms.`,
          })
        }),
      )
  },
}
