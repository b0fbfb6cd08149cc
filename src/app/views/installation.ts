import type {
  BreakerHealth,
  DependencyCheck,
  ProviderReport,
  SettingInForce,
} from '../../ports/installation.ts'
import { presentTime, timeOrNull } from './times.ts'

export function settingJson({ name, group, value, isSecret, isDefault }: SettingInForce) {
  return { name, group, value, is_secret: isSecret, is_default: isDefault }
}

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
