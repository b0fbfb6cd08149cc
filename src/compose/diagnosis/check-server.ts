import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { objectsIn } from '@sluice/dialects/values/values'
import type { BreakerHealth, DependencyCheck, ProviderHealth } from '../../ports/installation.ts'
import type { Config } from '../config.ts'
import { askGateway, type ReadSecrets } from './ask-gateway.ts'
import { checkBreakers } from './check-breakers.ts'
import { passed, warned } from './check-results.ts'

const NAME = 'gateway'

/** Asks the gateway that runs with these settings on this machine for its breakers. */
export async function checkServer(config: Config, readSecrets?: ReadSecrets): Promise<DependencyCheck[]> {
  const answer = await askGateway(config, { path: '/admin/v1/providers', command: 'doctor' }, readSecrets)
  switch (answer.kind) {
    case 'no-key':
      return []
    case 'not-asked':
      // This is not a warning, because many users run doctor before the gateway.
      return [passed(NAME, `not asked for its breakers: ${answer.why}`)]
    case 'stranger':
      return [stranger(answer.url)]
    case 'answered':
      return answer.status === 200
        ? [passed(NAME, `runs at ${answer.url}`), ...checkBreakers(readBreakers(answer.body))]
        : [unlisted(answer)]
  }
}

function unlisted({ url, status }: { url: string; status: number }): DependencyCheck {
  const isOtherKey = status === 401 || status === 404
  const detail = isOtherKey
    ? `the one at ${url} was started with another ADMIN_API_KEY, so its breakers are not known`
    : `the one at ${url} does not list its breakers (HTTP ${status})`
  return warned(NAME, detail, isOtherKey ? RESTART : undefined)
}

const RESTART = 'Restart it with the settings that doctor has, or run doctor with its own.'

function stranger(url: string): DependencyCheck {
  return warned(
    NAME,
    `what listens at ${url} has not proved to be this gateway, so ADMIN_API_KEY was not sent to it`,
    'Another program may have the port, or a gateway with another SLUICE_SECRET or of an older version.',
  )
}

/** Reads the breakers from an answer of `GET /admin/v1/providers`. An older gateway lists none. */
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
