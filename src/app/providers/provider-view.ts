import type { ProviderMembers, StoredProvider } from '../../ports/providers.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { keyHintsOf, membersOf } from './provider-secrets.ts'

export type { ProviderMembers }

export interface ProviderView {
  name: string
  driver: string
  /** Only providers of the store can be changed while the gateway runs. */
  source: 'file' | 'store' | 'sandbox'
  /** `shadowed`: `sluice.yaml` has a provider of the same name, which is used instead. */
  state: 'active' | 'disabled' | 'shadowed'
  baseUrl: string
  organizationId: string | null
  /** Names of its models; null: all models of its family. */
  models: readonly string[] | null
  keyHints: readonly string[]
  /** Members as in `sluice.yaml`, without secrets; null: the provider does not come from the store. */
  settings: ProviderMembers | null
  changedAtMs: number | null
}

export function viewOfStored(
  provider: StoredProvider,
  { secrets, isShadowed }: { secrets: Pick<Secrets, 'decrypt'>; isShadowed: boolean },
): ProviderView {
  const { name, driver, settings, models, state, changedAtMs } = provider
  const { base_url: baseUrl, organization: organizationId } = settings
  return {
    name,
    driver,
    source: 'store',
    state: isShadowed ? 'shadowed' : state,
    baseUrl: String(baseUrl ?? ''),
    organizationId: organizationId === undefined ? null : String(organizationId),
    models: models === null ? null : Object.keys(Object(models)),
    keyHints: keyHintsOf(membersOf(provider, secrets) ?? {}),
    settings: { driver, ...settings, ...(models !== null && { models }) },
    changedAtMs,
  }
}
