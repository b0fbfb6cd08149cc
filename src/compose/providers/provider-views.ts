import type { Provider } from '../../adapters/providers/drivers.ts'
import { hintOf } from '../../app/providers/provider-secrets.ts'
import type { ProviderView } from '../../app/providers/provider-view.ts'

/** Presents providers that are not in the store. */
export function viewsOf(providers: readonly Provider[], source: 'file' | 'sandbox'): ProviderView[] {
  return providers.map((provider) => ({
    name: provider.name,
    driver: provider.driver,
    source,
    state: 'active',
    baseUrl: provider.baseUrl,
    organizationId: provider.organizationId ?? null,
    models: provider.models === undefined ? null : [...provider.models.keys()],
    keyHints: source === 'file' ? keysOf(provider).map((key) => hintOf(key.reveal())) : [],
    settings: null,
    changedAtMs: null,
  }))
}

function keysOf(provider: Provider) {
  if ('keys' in provider) return provider.keys.map(({ key }) => key)
  return 'apiKey' in provider ? [provider.apiKey] : []
}
