import type { Config } from '../config/config.ts'
import type { DependencyCheck } from '../process/dependency-check.ts'
import { explainError } from './explain-error.ts'
import { FailedChecks } from './failed-checks.ts'
import { oneLine } from './format-table.ts'
import type { Session, Verb } from './verb.ts'

export const doctor: Verb = {
  path: 'doctor',
  usage: '[--json]',
  summary: 'Check the settings and everything the gateway depends on, and say what to mend.',
  example: 'sluice doctor',
  next: 'sluice serve',
  json: true,
  define(command, { services, operate, print }) {
    command.action(async () => {
      const config = services.loadConfig()
      const checks = [
        describeConfig(config),
        ...(await services.checkDependencies(config)),
        await countTenants(operate),
      ]
      const failed = checks.filter(({ ok }) => !ok)
      print({ json: { ok: failed.length === 0, checks }, text: checks.map(describeCheck).join('\n') })
      if (failed.length > 0) throw new FailedChecks(failed.length)
    })
  },
}

/** A wrong configuration never gets this far: reading it has told what is wrong. */
function describeConfig({ engines, providers }: Config): DependencyCheck {
  const store = engines.databaseUrl === undefined ? `SQLite in ${engines.dataDir}` : 'PostgreSQL'
  const cache = engines.redisUrl === undefined ? 'cache in the process' : 'Redis'
  const vendors = providers.length === 0 ? 'sandbox vendors' : providers.map(({ name }) => name).join(', ')
  return { name: 'settings', ok: true, detail: `${store}; ${cache}; ${vendors}` }
}

async function countTenants(operate: Session['operate']): Promise<DependencyCheck> {
  const name = 'organizations'
  let count = 0
  try {
    await operate(async (operator) => {
      count = (await operator.listOrganizations()).length
    })
  } catch (error) {
    return { name, ok: false, detail: explainError(error), fix: 'Mend the store first.' }
  }
  return { name, ok: true, detail: count === 0 ? 'none yet: the first start makes a demo' : String(count) }
}

function describeCheck({ name, ok, detail, fix }: DependencyCheck): string {
  const line = `${ok ? 'ok    ' : 'FAILED'}  ${name}: ${oneLine(detail.replaceAll('\n', ' '))}`
  return fix === undefined || ok ? line : `${line}\n        ${fix}`
}
