import type { KeepProviders } from '../../../src/app/providers/keep-providers.ts'
import type { ProviderView } from '../../../src/app/providers/provider-view.ts'
import type { Services } from '../../../src/cli/services.ts'
import { viewsOf } from '../../../src/compose/providers/provider-views.ts'

const PROVIDER: ProviderView = {
  ...{ name: 'acme', driver: 'text', source: 'store', state: 'active', baseUrl: 'https://api.acme.example' },
  ...{ organizationId: null, models: ['large', 'small'], keyHints: ['abcd'], changedAtMs: 0 },
  settings: {
    driver: 'text',
    base_url: 'https://api.acme.example',
    models: { large: 'chat', small: 'chat' },
  },
}

/** Records the changes, and returns one provider. */
export function fakeProviders(calls: unknown[]): KeepProviders {
  return {
    listProviders: async () => [PROVIDER],
    showProvider: async () => PROVIDER,
    async addProvider(command) {
      calls.push(['addProvider', command])
      return { ...PROVIDER, ...command, driver: String(command.members.driver) }
    },
    async updateProvider(command) {
      calls.push(['updateProvider', command])
      return { ...PROVIDER, name: command.name, state: command.state ?? PROVIDER.state }
    },
    async removeProvider(name) {
      calls.push(['removeProvider', name])
      return { ...PROVIDER, name }
    },
  }
}

/** Services that know only the providers of `sluice.yaml`. */
export const PROVIDER_SERVICES: Pick<Services, 'listProviders' | 'findProvider' | 'listVendorModels'> = {
  listProviders: async (config) => viewsOf(config.providers, 'file'),
  findProvider: async (config, name) => config.providers.find((each) => each.name === name),
  listVendorModels: async () => [],
}
