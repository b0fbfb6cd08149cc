import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { objectsIn } from '@sluice/dialects/values/values'
import type { BreakerHealth, ProviderHealth } from '../../ports/installation.ts'

/** Reads the breakers in an answer of `GET /admin/v1/providers`. An older gateway lists none. */
export function readBreakers(body: unknown): (Pick<ProviderHealth, 'breakers'> & { name: string })[] {
  return objectsIn(Object(body).data).map(({ name, health }) => ({
    name: String(name),
    breakers: objectsIn(Object(health).breakers).flatMap(readBreaker),
  }))
}

function readBreaker(breaker: JsonObject): BreakerHealth[] {
  const { target, organization_id: organizationId, state, failures, last_failure: last } = breaker
  if (state !== 'open' && state !== 'half-open') return []
  const atMs = isJsonObject(last) ? momentOf(last.at) : null
  return [
    {
      target: String(target),
      organizationId: typeof organizationId === 'string' ? organizationId : null,
      state,
      sinceMs: momentOf(breaker.since),
      failures: Number(failures),
      lastFailure: isJsonObject(last) && atMs !== null ? { atMs, outcome: String(last.outcome) } : null,
      nextTryMs: momentOf(breaker.next_try),
    },
  ]
}

function momentOf(text: unknown): number | null {
  const momentMs = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(momentMs) ? null : momentMs
}
