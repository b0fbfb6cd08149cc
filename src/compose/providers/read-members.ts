import { DRIVERS, driverOf, type Provider } from '../../adapters/providers/drivers.ts'
import type { ConfigProblem } from '../../config/config-error.ts'
import { readProviderMembers } from '../../config/providers/providers-file.ts'
import { type AddressCheck, createAddressCheck } from '../../domain/addresses/address-check.ts'
import { checkHost } from '../../domain/addresses/literal-address.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { ProviderMembers } from '../../ports/providers.ts'

/** Reads a provider from its members, by the rules of `sluice.yaml`. */
export function readMembers(
  name: string,
  members: ProviderMembers,
): { provider: Provider } | { problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = []
  const provider = readProviderMembers<Provider>(name, members, {
    drivers: DRIVERS,
    report: (problem) => problems.push(problem),
  })
  return provider === undefined || problems.length > 0 ? { problems } : { provider }
}

/** Time limit of a name look-up, after which the name is accepted; `sluice provider test` checks it. */
const RESOLVE_MS_MAX = 1_000

/** Returns a check that rejects wrong settings, and local or private addresses. */
export function checkMembers(allowedRanges: readonly string[]) {
  const isAllowed = createAddressCheck({ allow: allowedRanges })
  return async (name: string, members: ProviderMembers): Promise<void> => {
    const read = readMembers(name, members)
    if ('problems' in read) throw invalid(read.problems)
    const { assets } = driverOf(read.provider)
    const addresses = {
      base_url: read.provider.baseUrl,
      'assets.endpoint': assets?.endpointOf(read.provider),
    }
    for (const [param, url] of Object.entries(addresses)) {
      if (url !== undefined && !(await leadsOutside(new URL(url), isAllowed))) throw notAllowed(param)
    }
  }
}

async function leadsOutside(url: URL, isAllowed: AddressCheck): Promise<boolean> {
  const found = checkHost(url, isAllowed)
  if (found !== 'name') return found === 'allowed'
  const { createResolver } = await import('../../adapters/outbound/resolve-name.ts')
  const resolve = createResolver()
  const addresses = await resolve(url.hostname, AbortSignal.timeout(RESOLVE_MS_MAX)).catch(() => [])
  return addresses.every(isAllowed)
}

function invalid(problems: readonly ConfigProblem[]): ApiError {
  return new ApiError('invalid_parameter', {
    param: problems[0]?.setting,
    message: problems.map(({ setting, wrong, fix }) => `${setting}: ${wrong}. ${fix}`).join(' '),
  })
}

function notAllowed(param: string): ApiError {
  return new ApiError('invalid_parameter', {
    param,
    message: `${param} leads to a local or private address. Add its range to OUTBOUND_ALLOW (such as 127.0.0.1/32) and restart the gateway, or write the provider into sluice.yaml.`,
  })
}
