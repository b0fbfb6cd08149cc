import { requireRow } from '../app/access/no-such.ts'
import { SingleFlight } from '../app/jobs/single-flight.ts'
import { loadPresets, type Preset } from '../config/presets/presets.ts'
import { pasteable, programName } from '../config/program-name.ts'
import type { DependencyCheck, Installation, PresetReport, ProviderHealth } from '../ports/installation.ts'
import type { ModelStore } from '../ports/models.ts'
import type { Config } from './config.ts'
import type { LiveProviders } from './providers/live-providers.ts'
import { whyUnservable } from './served-models.ts'

/** Composes the operators' view of this process. Concurrent callers share a running diagnosis. */
export function composeInstallation(input: {
  config: Config
  live: Pick<LiveProviders, 'current' | 'find'>
  healthOf(provider: string): ProviderHealth
  models: Pick<ModelStore, 'list'>
}): Installation {
  const { config, live, healthOf } = input
  const running = new SingleFlight<readonly DependencyCheck[]>()
  const listHealth = () => live.current.serving.map(({ name }) => ({ name, ...healthOf(name) }))
  async function find(name: string) {
    return requireRow(await live.find(name), 'provider', name)
  }
  return {
    listSettings: () => config.settings,
    healthOf,
    listHealth,
    listPresets,
    whyUnservable: (model, findRow) => whyUnservable(live.current)(model, findRow),
    async testProvider(name) {
      const provider = await find(name)
      const { testProvider } = await import('./diagnosis/test-provider.ts')
      return running.run(`provider ${name}`, async () =>
        testProvider(config, provider, await input.models.list()),
      )
    },
    async listVendorModels(name) {
      const provider = await find(name)
      const { listVendorModels } = await import('./diagnosis/list-vendor-models.ts')
      return listVendorModels(config, provider)
    },
    async runDoctor() {
      const { checkBreakers } = await import('./diagnosis/check-breakers.ts')
      const { checkDependencies } = await import('./diagnosis/check-dependencies.ts')
      const program = programName()
      return running.run('doctor', async () =>
        [
          ...(await checkDependencies(config)),
          ...checkBreakers(listHealth(), (name) => `Test it with the button beside ${name} under Providers`),
        ].map((check) => ({
          ...check,
          detail: pasteable(check.detail, program),
          ...(check.fix !== undefined && { fix: pasteable(check.fix, program) }),
        })),
      )
    },
  }
}

/** Lists the presets without their keys, most of which are placeholders for variables. */
export function listPresets(): PresetReport[] {
  return loadPresets().map(reportOf)
}

function reportOf({ name, title, variable, prices, plain }: Preset): PresetReport {
  const { api_key: _key, ...settings } = plain.provider
  return {
    name,
    title,
    driver: String(settings.driver),
    needsKey: variable !== undefined,
    needsBaseUrl: /^https?:\/\/(localhost|127\.|\[)/.test(String(settings.base_url)),
    pricesTaken: prices?.taken ?? null,
    pricesPage: prices?.page ?? null,
    settings,
    models: plain.models,
  }
}
