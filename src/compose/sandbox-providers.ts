import { DRIVERS, type Provider } from '../adapters/providers/drivers.ts'

/** Where no provider is configured, the sandbox's vendors take their names. */
export function sandboxProviders(sandboxUrl: string): Provider[] {
  return Object.values(DRIVERS).flatMap((driver): Provider[] => driver.sandbox(sandboxUrl))
}
