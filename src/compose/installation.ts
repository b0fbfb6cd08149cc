import type { Provider } from '../adapters/providers/drivers.ts'
import { noSuch } from '../app/access/no-such.ts'
import { SingleFlight } from '../app/jobs/single-flight.ts'
import { pasteable, programName } from '../config/program-name.ts'
import type { DependencyCheck, Installation, ProviderHealth } from '../ports/installation.ts'
import type { Config } from './config.ts'
import { whyUnservable } from './served-models.ts'

/** Composes the operators' view of this process. A running diagnosis is shared by concurrent callers. */
export function composeInstallation(input: {
  config: Config
  /** Includes those of the sandbox, where it answers. */
  providers: readonly Provider[]
  healthOf(provider: string): ProviderHealth
}): Installation {
  const { config, providers, healthOf } = input
  const running = new SingleFlight<readonly DependencyCheck[]>()
  const listProviders = () =>
    providers.map(({ name, driver, baseUrl, organizationId = null, models }) => ({
      name,
      driver,
      baseUrl,
      organizationId,
      models: models === undefined ? null : [...models.keys()],
      ...healthOf(name),
    }))
  return {
    listSettings: () => config.settings,
    listProviders,
    whyUnservable: whyUnservable(providers),
    async testProvider(name) {
      const provider = providers.find((each) => each.name === name)
      if (provider === undefined) throw noSuch('provider', name)
      const { testProvider } = await import('./diagnosis/test-provider.ts')
      return running.run(`provider ${name}`, () => testProvider(config, provider))
    },
    async runDoctor() {
      const { checkBreakers } = await import('./diagnosis/check-breakers.ts')
      const { checkDependencies } = await import('./diagnosis/check-dependencies.ts')
      const program = programName()
      return running.run('doctor', async () =>
        [
          ...(await checkDependencies(config)),
          ...checkBreakers(
            listProviders(),
            (name) => `Test it with the button beside ${name} under Providers`,
          ),
        ].map((check) => ({
          ...check,
          detail: pasteable(check.detail, program),
          ...(check.fix !== undefined && { fix: pasteable(check.fix, program) }),
        })),
      )
    },
  }
}
