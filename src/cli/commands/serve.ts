import { parseCount } from '../parse/options.ts'
import type { Verb } from '../verb.ts'

export const serve: Verb = {
  path: 'serve',
  summary: 'Start the gateway. SIGTERM and Ctrl-C stop it in good order.',
  example: 'sluice serve',
  next: 'curl http://127.0.0.1:8080/readyz   (and http://127.0.0.1:8080/docs in a browser)',
  json: false,
  define(command, { services }) {
    command
      .option(
        '--workers <n>',
        'processes to run side by side; needs DATABASE_URL and REDIS_URL',
        parseCount({ max: 256 }),
      )
      .action(async ({ workers }: { workers?: number }) => {
        const config = services.loadConfig()
        const { databaseUrl, redisUrl } = config.engines
        if (workers !== undefined && (databaseUrl === undefined || redisUrl === undefined)) {
          command.error(
            '--workers needs DATABASE_URL and REDIS_URL, through which the processes share rows and limits. Set both, or leave --workers out.',
          )
        }
        await services.startServer({ config, workers })
      })
  },
}
