import { json } from '../../domain/json/json-schema.ts'
import type { BreakerHealth, DependencyCheck, ProviderHealth } from '../../ports/installation.ts'
import type { ProviderView } from '../providers/provider-view.ts'
import { answer, shown } from './present.ts'
import { presentTime, timeOrNull } from './times.ts'

export const SETTING = answer({
  name: shown.text(),
  group: shown.text(),
  value: shown.textOrNull(),
  is_secret: json.boolean(),
  is_default: json.boolean(),
})

export function plainProviderJson(provider: ProviderView) {
  return {
    name: provider.name,
    driver: provider.driver,
    base_url: provider.baseUrl,
    source: provider.source,
    state: provider.state,
    organization_id: provider.organizationId,
    models: provider.models,
    key_hints: provider.keyHints,
    settings: provider.settings,
    changed_at: timeOrNull(provider.changedAtMs),
  }
}

export function providerJson(provider: ProviderView, { lastError, ...health }: ProviderHealth) {
  return {
    ...plainProviderJson(provider),
    health: {
      breaker: health.breaker,
      breakers: health.breakers.map(breakerJson),
      keys_resting: health.keysResting,
      calls: health.calls,
      errors: health.errors,
      refusals: health.refusals,
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

/** Output of `sluice doctor --json` and `sluice provider test --json`. */
export function checksJson(checks: readonly DependencyCheck[]) {
  return { ok: checks.every(({ ok }) => ok), checks }
}
