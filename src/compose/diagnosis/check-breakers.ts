import { presentTime } from '../../app/views/times.ts'
import { counted } from '../../domain/counted.ts'
import type { BreakerHealth, DependencyCheck, ProviderHealth } from '../../ports/installation.ts'
import { warned } from './check-results.ts'

type ProviderBreakers = Pick<ProviderHealth, 'breakers'> & { name: string }

/** Reports open breakers as warnings, because they close by themselves. */
export function checkBreakers(
  providers: readonly ProviderBreakers[],
  testOf: (provider: string) => string = (provider) => `Run "sluice provider test ${provider}"`,
): DependencyCheck[] {
  return providers.flatMap(({ name, breakers }) =>
    breakers
      .filter(({ state }) => state !== 'closed')
      .map((breaker) =>
        warned(`breaker of ${name}`, describeBreaker(breaker), adviceFor(testOf(name), breaker)),
      ),
  )
}

function describeBreaker({ target, organizationId, state, ...breaker }: BreakerHealth): string {
  const { sinceMs, failures, lastFailure, nextTryMs } = breaker
  const whose = organizationId === null ? '' : ` of ${organizationId}`
  const since = sinceMs === null ? '' : ` since ${presentTime(sinceMs)}`
  const last = lastFailure === null ? '' : `, the last one ${lastFailure.outcome}`
  const next = nextTryMs === null ? '' : `, next try at ${presentTime(nextTryMs)}`
  return `on this replica it is ${state}${since} for the calls "${target}"${whose}: ${counted(failures, 'failure')}${last}${next}. Until a try succeeds they get 503 or go to a fallback.`
}

function adviceFor(test: string, { organizationId, lastFailure }: BreakerHealth): string {
  const outcome = lastFailure?.outcome ?? ''
  if (organizationId !== null)
    return `${test}; if that passes, look at the requests of this organization: other calls are not held back.`
  if (outcome === 'refused' || outcome === 'broken')
    return `${test}, and check base_url and the network between this machine and the provider.`
  if (outcome.startsWith('timeout'))
    return `${test}; if that passes, the provider is slow: UPSTREAM_FIRST_BYTE_MS and UPSTREAM_IDLE_MS say how long it may take.`
  return `${test}, and look at the vendor's status page.`
}
