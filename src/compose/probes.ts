import type { ProviderProbe } from '../adapters/providers/driver.ts'
import { driverOf, type Provider } from '../adapters/providers/drivers.ts'

export type { ProviderProbe } from '../adapters/providers/driver.ts'

/** What a diagnosis asks a provider. */
export function probesOf(provider: Provider): ProviderProbe[] {
  return driverOf(provider).probes(provider)
}
