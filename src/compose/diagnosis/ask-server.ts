import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { objectsIn } from '../../llm/values/values.ts'
import type { BreakerHealth, ProviderReport } from '../../ports/installation.ts'
import type { Config } from '../config.ts'
import { composeOutside } from '../outside.ts'
import { diagnosisTools } from '../tools.ts'
import { ANSWER_BYTES_MAX, oneAtATime, parsedOrNone } from './check-probe.ts'

const PATIENCE_MS = 2_000

/**
 * The breakers of the gateway that runs with these settings on this machine. None where it does not run, or has no admin
 * key: then nothing can be known of them.
 */
export async function askServerForBreakers(
  config: Config,
): Promise<Pick<ProviderReport, 'name' | 'breakers'>[]> {
  const { adminApiKey } = config.secrets
  if (adminApiKey === undefined) return []
  const { openUpstream } = await composeOutside(config, diagnosisTools(config))
  const upstream = openUpstream({
    ...oneAtATime(PATIENCE_MS),
    ...{ name: 'this gateway', baseUrl: addressOf(config.http) },
    ...{ firstByteTimeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS },
  })
  try {
    const answer = await upstream.request({
      ...{ operation: 'doctor', holder: 'doctor', method: 'GET', path: '/admin/v1/providers' },
      headers: { 'x-admin-key': adminApiKey.reveal() },
      ...{ totalTimeoutMs: PATIENCE_MS, maxBytes: ANSWER_BYTES_MAX },
    })
    return answer.status === 200 ? readProviders(parsedOrNone(answer.body.toString('utf8'))) : []
  } catch {
    return []
  } finally {
    await upstream.close()
  }
}

/** A server that listens on all addresses is reached at the local one. */
function addressOf({ host, port }: Config['http']): string {
  const local = LOCAL.get(host) ?? host
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`
}

const LOCAL = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** An older gateway lists no breakers. */
function readProviders(body: unknown): Pick<ProviderReport, 'name' | 'breakers'>[] {
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
