import { DRIVERS, type Provider } from '../adapters/providers/drivers.ts'
import type { AnyConfig } from '../config/config.ts'
import { loadConfig as loadWith, readConfig as readWith, type Surroundings } from '../config/read-config.ts'

/** All settings, with the providers as their drivers read them. */
export type Config = AnyConfig<Provider>

export function loadConfig(): Config {
  return loadWith<Provider>(DRIVERS)
}

export function readConfig(surroundings: Surroundings): Config {
  return readWith<Provider>(surroundings, DRIVERS)
}

export { randomSecret } from '../adapters/system/secret-file.ts'
