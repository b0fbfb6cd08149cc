import type { Verb } from '../verb.ts'

interface DemoOptions {
  remove?: boolean
  besideCustomers?: boolean
}

export const demo: Verb = {
  path: 'demo',
  usage: '[--beside-customers | --remove] [--json]',
  summary:
    'Fill the store with a month of made-up traffic of three customers, named (demo), or remove them with all their rows.',
  example: 'sluice demo',
  next: 'sluice serve   (and /console in a browser), later: sluice demo --remove',
  define(command, { services, operate, print }) {
    command
      .option('--beside-customers', 'fill a store that has customers already')
      .option('--remove', 'remove the demo')
      .action(async ({ remove, besideCustomers = false }: DemoOptions) => {
        if (remove) {
          await operate(async (operator) => {
            const { organizationIds: ids } = await operator.removeDemo()
            print({
              json: { removed: true, organization_ids: ids },
              text: `Removed ${ids.length} customers of the demo, with all their rows.`,
            })
          })
          return
        }
        const report = await services.fillDemo(services.loadConfig(), { besideCustomers })
        const { organizationIds: ids, requests, videos } = report
        print({
          json: { organization_ids: ids, requests, videos },
          text: `Made ${ids.length} customers with ${requests} text requests and ${videos} videos of the last 30 days.`,
        })
      })
  },
}
