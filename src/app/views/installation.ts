import { json } from '../../domain/json/json-schema.ts'
import type { BreakerHealth, DependencyCheck, ProviderReport } from '../../ports/installation.ts'
import { answer, shown } from './present.ts'
import { presentTime, timeOrNull } from './times.ts'

export const SETTING = answer({
  name: shown.text(),
  group: shown.text(),
  value: shown.textOrNull(),
  is_secret: json.boolean(),
  is_default: json.boolean(),
})

export function providerJson(provider: ProviderReport) {
  const { name, driver, baseUrl, organizationId, models, lastError } = provider
  return {
    name,
    driver,
    base_url: baseUrl,
    organization_id: organizationId,
    models,
    health: {
      breaker: provider.breaker,
      breakers: provider.breakers.map(breakerJson),
      keys_resting: provider.keysResting,
      calls: provider.calls,
      errors: provider.errors,
      refusals: provider.refusals,
      last_error: lastError && {
        at: presentTime(lastError.atMs),
        operation: lastError.operation,
        outcome: lastError.outcome,
      },
    },
  }
}

function breakerJson({ sinceMs, lastFailure, nextTryMs, ...breaker }: BreakerHealth) {
  return {
    target: breaker.target,
    organization_id: breaker.organizationId,
    state: breaker.state,
    since: timeOrNull(sinceMs),
    failures: breaker.failures,
    last_failure: lastFailure && { at: presentTime(lastFailure.atMs), outcome: lastFailure.outcome },
    next_try: timeOrNull(nextTryMs),
  }
}

/** Presents the output of `sluice doctor --json` and `sluice provider test --json`. */
export function checksJson(checks: readonly DependencyCheck[]) {
  return { ok: checks.every(({ ok }) => ok), checks }
}
