import type { Driver } from './driver.ts'
import { text } from './text/row.ts'
import { vendorA } from './vendor-a/row.ts'
import { vendorB } from './vendor-b/row.ts'

/** All drivers, by their names in the providers file. */
export const DRIVERS = {
  'vendor-a': vendorA,
  'vendor-b': vendorB,
  text,
}

export type DriverName = keyof typeof DRIVERS

/** Settings of a provider, as its driver's `read` returns them. */
export type Provider = ProviderOf<DriverName>

type ProviderOf<Name extends DriverName> = {
  [Each in Name]: (typeof DRIVERS)[Each] extends Driver<infer P> ? P : never
}[Name]

const ROWS: { [Name in DriverName]: Driver<ProviderOf<Name>> } = DRIVERS

export function driverOf<Name extends DriverName>(
  provider: ProviderOf<Name> & { driver: Name },
): Driver<ProviderOf<Name>> {
  return ROWS[provider.driver]
}
