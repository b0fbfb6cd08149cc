import type { Config } from '../../compose/config.ts'
import type { DependencyCheck } from '../../compose/diagnosis/check-probe.ts'
import { describeStore } from '../../compose/diagnosis/describe-store.ts'
import { FailedChecks } from '../errors.ts'
import { describeCheck } from '../present/describe-check.ts'
import type { Verb } from '../verb.ts'

export const doctor: Verb = {
  path: 'doctor',
  summary: 'Check the settings and all that the gateway depends on, and say what to fix. It changes nothing.',
  example: 'sluice doctor',
  next: 'sluice serve',
  define(command, { services, print }) {
    command.action(async () => {
      const config = services.loadConfig()
      const checks = [describeConfig(config), ...(await services.checkDependencies(config))]
      const failed = checks.filter(({ ok }) => !ok)
      print({ json: { ok: failed.length === 0, checks }, text: checks.map(describeCheck).join('\n') })
      if (failed.length > 0) throw new FailedChecks(failed.length)
    })
  },
}

/** Reports the settings as right, because reading a wrong configuration throws. */
function describeConfig(config: Config): DependencyCheck {
  const { engines, providers } = config
  const cache = engines.redisUrl === undefined ? 'cache in the process' : 'Redis'
  const vendors = providers.length === 0 ? 'sandbox vendors' : providers.map(({ name }) => name).join(', ')
  return { name: 'settings', ok: true, detail: `${describeStore(config)}; ${cache}; ${vendors}` }
}
