import { DRIVERS, driverOf, type Provider } from '../../adapters/providers/drivers.ts'
import type { ConfigProblem } from '../../config/config-error.ts'
import { readProviderMembers } from '../../config/providers/providers-file.ts'
import { type AddressCheck, createAddressCheck } from '../../domain/addresses/address-check.ts'
import { checkHost } from '../../domain/addresses/literal-address.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { ProviderMembers } from '../../ports/providers.ts'

/** Reads a provider from its members, by the rules of `sluice.yaml`. `isAllowed` checks hosts that are IP addresses. */
export function readMembers(
  name: string,
  members: ProviderMembers,
  isAllowed: AddressCheck,
): { provider: Provider } | { problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = []
  const provider = readProviderMembers<Provider>(name, members, {
    drivers: DRIVERS,
    report: (problem) => problems.push(problem),
  })
  if (provider === undefined || problems.length > 0) return { problems }
  const inside = addressesOf(provider).filter(([, url]) => checkHost(url, isAllowed) === 'forbidden')
  return inside.length > 0 ? { problems: inside.map(([setting]) => notAllowed(setting)) } : { provider }
}

/** Time limit of a name look-up, after which the name is accepted: each connection checks its address again. */
const RESOLVE_MS_MAX = 1_000

/** Returns a check that rejects wrong settings, and local or private addresses. */
export function checkMembers(allowedRanges: readonly string[]) {
  const isAllowed = createAddressCheck({ allow: allowedRanges })
  return async (name: string, members: ProviderMembers): Promise<void> => {
    const read = readMembers(name, members, isAllowed)
    if ('problems' in read) throw invalid(read.problems)
    for (const [setting, url] of addressesOf(read.provider))
      if (!(await leadsOutside(url, isAllowed))) throw invalid([notAllowed(setting)])
  }
}

function addressesOf(provider: Provider): (readonly [setting: string, url: URL])[] {
  const endpoint = driverOf(provider).assets?.endpointOf(provider)
  const addresses = Object.entries({ base_url: provider.baseUrl, 'assets.endpoint': endpoint })
  return addresses.flatMap(([setting, url]) => (url === undefined ? [] : [[setting, new URL(url)] as const]))
}

async function leadsOutside(url: URL, isAllowed: AddressCheck): Promise<boolean> {
  if (checkHost(url, isAllowed) === 'allowed') return true
  const { createResolver } = await import('../../adapters/outbound/resolve-name.ts')
  const resolve = createResolver()
  const addresses = await resolve(url.hostname, AbortSignal.timeout(RESOLVE_MS_MAX)).catch(() => [])
  return addresses.every(isAllowed)
}

function invalid(problems: readonly ConfigProblem[]): ApiError {
  return new ApiError('invalid_parameter', {
    param: problems[0]?.setting,
    message: describeProblems(problems),
  })
}

export function describeProblems(problems: readonly ConfigProblem[]): string {
  return problems.map(({ setting, wrong, fix }) => `${setting}: ${wrong}. ${fix}`).join(' ')
}

function notAllowed(setting: string): ConfigProblem {
  return {
    setting,
    wrong: 'it leads to a local or private address',
    fix: 'Add its range to OUTBOUND_ALLOW (such as 127.0.0.1/32) and restart the gateway, or write the provider into sluice.yaml.',
  }
}
