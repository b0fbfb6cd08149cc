import { readFileSync } from 'node:fs'
import type { Config } from './config.ts'
import type { AnyProvider } from './providers/provider.ts'
import type { DriverReaders } from './providers/providers-file.ts'
import { readConfig } from './read-config.ts'

/** The configuration of this process. */
export function loadConfig<Provider extends AnyProvider>(drivers: DriverReaders<Provider>): Config<Provider> {
  return readConfig({ environment: process.env, readFile: (path) => readFileSync(path, 'utf8') }, drivers)
}
