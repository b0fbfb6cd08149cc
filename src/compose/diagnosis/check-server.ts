import { hostname } from 'node:os'
import type { Upstream } from '../../adapters/outbound/upstream.ts'
import { CHALLENGE_HEADER, isGatewayProof, makeChallenge } from '../../app/access/gateway-proof.ts'
import type { DependencyCheck } from '../../ports/installation.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Config } from '../config.ts'
import { composeOperator } from '../operator.ts'
import { composeOutside } from '../outside.ts'
import { diagnosisTools } from '../tools.ts'
import { urlOf } from '../url-of.ts'
import { checkBreakers } from './check-breakers.ts'
import { ANSWER_BYTES_MAX, oneAtATime, parsedOrNone } from './check-probe.ts'
import { explainConnection } from './explain-connection.ts'
import { readBreakers } from './read-breakers.ts'

const PATIENCE_MS = 2_000
const NAME = 'gateway'

/** What checks the proof of a gateway. Rejects where the store or the secret cannot be read. */
type OpenSecrets = (config: Config) => Promise<{ secrets: Secrets; close(): Promise<void> }>

/**
 * Asks the gateway that runs with these settings on this machine for its breakers. Any program may listen on the port
 * while it does not run, so a listener gets the admin key only after it has proved that it has the deployment's secret.
 */
export async function checkServer(
  config: Config,
  openSecrets: OpenSecrets = secretsOfStore,
): Promise<DependencyCheck[]> {
  const { adminApiKey } = config.secrets
  if (adminApiKey === undefined) return []
  const opened = await openSecrets(config).catch(() => undefined)
  if (opened === undefined) return [notAsked('its store cannot be read with this secret')]
  const url = addressOf(config.http)
  const { openUpstream } = await composeOutside(config, diagnosisTools(config))
  const upstream = openUpstream({
    ...oneAtATime(PATIENCE_MS),
    ...{ name: 'this gateway', baseUrl: url },
    ...{ firstByteTimeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS },
  })
  try {
    const place = { machine: hostname(), port: config.http.port }
    const challenge = makeChallenge(opened.secrets)
    const { body } = await get(upstream, { path: '/healthz', headers: { [CHALLENGE_HEADER]: challenge } })
    const { proof } = Object(body)
    if (!isGatewayProof(proof, { challenge, place, secrets: opened.secrets })) return [stranger(url)]
    return await askForBreakers(upstream, { url, adminKey: adminApiKey.reveal() })
  } catch (error) {
    const where = { url: new URL(url), setting: 'HOST and PORT', speaksTls: false }
    return [notAsked(explainConnection(error, where).detail)]
  } finally {
    await upstream.close()
    await opened.close()
  }
}

async function secretsOfStore(config: Config): ReturnType<OpenSecrets> {
  const { tools, close } = await composeOperator(config)
  return { secrets: tools.secrets, close }
}

async function askForBreakers(
  upstream: Upstream,
  { url, adminKey }: { url: string; adminKey: string },
): Promise<DependencyCheck[]> {
  const headers = { 'x-admin-key': adminKey }
  const { status, body } = await get(upstream, { path: '/admin/v1/providers', headers })
  if (status === 200)
    return [{ name: NAME, ok: true, detail: `runs at ${url}` }, ...checkBreakers(readBreakers(body))]
  const isOtherKey = status === 401 || status === 404
  const detail = isOtherKey
    ? `the one at ${url} was started with another ADMIN_API_KEY, so its breakers are not known`
    : `the one at ${url} does not list its breakers (HTTP ${status})`
  return [
    {
      ...{ name: NAME, ok: true, warning: true, detail },
      ...(isOtherKey && { fix: 'Restart it with the settings that doctor has, or run doctor with its own.' }),
    },
  ]
}

async function get(
  upstream: Upstream,
  call: { path: string; headers: Record<string, string> },
): Promise<{ status: number; body: unknown }> {
  const { status, body } = await upstream.request({
    ...{ operation: 'doctor', holder: 'doctor', method: 'GET', ...call },
    ...{ totalTimeoutMs: PATIENCE_MS, maxBytes: ANSWER_BYTES_MAX },
  })
  return { status, body: parsedOrNone(body.toString('utf8')) }
}

/** Most who run doctor have not started the gateway yet. */
function notAsked(why: string): DependencyCheck {
  return { name: NAME, ok: true, detail: `not asked for its breakers: ${why}` }
}

function stranger(url: string): DependencyCheck {
  return {
    ...{ name: NAME, ok: true, warning: true },
    detail: `what listens at ${url} has not proved to be this gateway, so ADMIN_API_KEY was not sent to it`,
    fix: 'Another program may have the port, or a gateway with another SLUICE_SECRET or of an older version.',
  }
}

/** A server that listens on all addresses is reached at the local one. */
function addressOf({ host, port }: Config['http']): string {
  return urlOf({ host: LOCAL.get(host) ?? host, port })
}

const LOCAL = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])
