import { DRIVERS, driverOf, type Provider } from '../../adapters/providers/drivers.ts'
import { membersOf } from '../../app/providers/provider-secrets.ts'
import type { ConfigProblem } from '../../config/config-error.ts'
import { type AddressCheck, createAddressCheck } from '../../domain/addresses/address-check.ts'
import type { StoredProvider } from '../../ports/providers.ts'
import type { Store } from '../../ports/store.ts'
import type { Config } from '../config.ts'
import type { Tools } from '../tools.ts'
import { describeProblems, readMembers } from './read-members.ts'

/** The providers of a deployment at one moment, from `sluice.yaml` and from the store. */
export interface ProviderSet {
  serving: readonly Provider[]
  /** Providers that only finish open video tasks: disabled ones, and the sandbox if all others are from the store. */
  resting: readonly Provider[]
  byName: ReadonlyMap<string, Provider>
  disabled: ReadonlySet<string>
  runsSandbox: boolean
}

/** Returns a function that makes a set from stored rows. An unchanged row gives the same object. */
export function providerSets(input: {
  config: Pick<Config, 'providers' | 'outbound'>
  tools: Pick<Tools, 'secrets' | 'log'>
  /** undefined: no sandbox runs. */
  sandboxUrl: string | undefined
}): (rows: readonly StoredProvider[]) => ProviderSet {
  const { config, tools, sandboxUrl } = input
  const isAllowed = createAddressCheck({ allow: config.outbound.allowedRanges })
  const fromFile = new Set(config.providers.map(({ name }) => name))
  const sandbox = sandboxUrl === undefined || fromFile.size > 0 ? [] : sandboxProviders(sandboxUrl)
  let known = new Map<string, Provider | undefined>()

  return (rows) => {
    const read = new Map<string, Provider | undefined>()
    // The oldest comes first: the first provider with assets serves all of them, and a newer one must not take over.
    const stored = rows.toSorted(byAge).flatMap((row) => {
      if (fromFile.has(row.name)) return []
      const key = `${row.id} ${row.version}`
      const provider = known.has(key) ? known.get(key) : readRow(row, tools, isAllowed)
      read.set(key, provider)
      return provider === undefined ? [] : [{ provider, state: row.state }]
    })
    known = read
    const of = (state: StoredProvider['state']) =>
      stored.filter((each) => each.state === state).map(({ provider }) => provider)
    const disabled = new Set(of('disabled').map(({ name }) => name))
    const runsSandbox = fromFile.size + rows.length === 0
    const shown = runsSandbox ? sandbox : [...config.providers, ...stored.map(({ provider }) => provider)]
    const byName = new Map(shown.map((provider) => [provider.name, provider]))
    if (runsSandbox) return { serving: sandbox, resting: [], byName, disabled, runsSandbox }
    return {
      byName,
      serving: [...config.providers, ...of('active')],
      resting: [...of('disabled'), ...sandbox].filter((provider) => driverOf(provider).video !== undefined),
      disabled,
      runsSandbox,
    }
  }
}

const byAge = (one: StoredProvider, other: StoredProvider) => one.createdAtMs - other.createdAtMs

/** Reads the providers once, for a command. */
export async function readProviderSet(
  config: Pick<Config, 'providers' | 'outbound' | 'sandbox'>,
  { store, tools }: { store: Pick<Store, 'providers'>; tools: Pick<Tools, 'secrets' | 'log'> },
): Promise<ProviderSet> {
  const sandboxUrl = `http://127.0.0.1:${config.sandbox.port}`
  return providerSets({ config, tools, sandboxUrl })(await store.providers.list())
}

/** Reads one row. Logs and skips a row of another version or secret, or with an address that is no longer allowed. */
function readRow(
  row: StoredProvider,
  { secrets, log }: Pick<Tools, 'secrets' | 'log'>,
  isAllowed: AddressCheck,
): Provider | undefined {
  const members = membersOf(row, secrets)
  const read =
    members === undefined ? { problems: [OTHER_SECRET] } : readMembers(row.name, members, isAllowed)
  if ('provider' in read) return { ...read.provider, isFromStore: true }
  log.error('provider.unusable', { provider: row.name, reason: describeProblems(read.problems) })
  return undefined
}

const OTHER_SECRET: ConfigProblem = {
  setting: 'api_key',
  wrong: 'it was encrypted with another SLUICE_SECRET',
  fix: 'Set its keys again, or start with that secret.',
}

export function sandboxProviders(sandboxUrl: string): Provider[] {
  return Object.values(DRIVERS).flatMap((driver): Provider[] => driver.sandbox(sandboxUrl))
}
