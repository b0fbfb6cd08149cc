import type { Verb } from '../verb.ts'

export const migrate: Verb = {
  path: 'migrate',
  summary: 'Bring the store up to this version. The server does the same when it starts.',
  example: 'sluice migrate',
  next: 'sluice serve',
  define(command, { services, print }) {
    command.action(async () => {
      const applied = await services.migrateStore(services.loadConfig())
      print({
        json: { applied },
        text: applied.length === 0 ? 'The store is up to date.' : `Applied: ${applied.join(', ')}.`,
      })
    })
  },
}
