import { hostname } from 'node:os'
import type { Upstream } from '../../adapters/outbound/upstream.ts'
import { requireSecret } from '../../app/access/confirm-secret.ts'
import { CHALLENGE_HEADER, isGatewayProof, makeChallenge } from '../../app/access/gateway-proof.ts'
import { passCheckpoint } from '../../ports/checkpoint.ts'
import type { DependencyCheck } from '../../ports/installation.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Config } from '../config.ts'
import { openStore, requireStore } from '../engines.ts'
import { composeOutside } from '../outside.ts'
import { diagnosisTools, openTools } from '../tools.ts'
import { urlOf } from '../url-of.ts'
import { checkBreakers } from './check-breakers.ts'
import { ANSWER_BYTES_MAX, oneAtATime, parsedOrNone } from './check-probe.ts'
import { explainConnection } from './explain-connection.ts'
import { readBreakers } from './read-breakers.ts'

const PATIENCE_MS = 2_000
const NAME = 'gateway'

/** What checks the proof of a gateway. Rejects where the store or its secret cannot be read. */
type ReadSecrets = (config: Config) => Promise<Secrets>

/**
 * Asks the gateway that runs with these settings on this machine for its breakers. Any program may listen on the port
 * while it does not run, so a listener gets the admin key only after it has proved that it has the deployment's secret.
 */
export async function checkServer(
  config: Config,
  readSecrets: ReadSecrets = secretsOfStore,
): Promise<DependencyCheck[]> {
  const { adminApiKey } = config.secrets
  if (adminApiKey === undefined) return []
  const secrets = await readSecrets(config).catch(() => undefined)
  if (secrets === undefined)
    return [notAsked('without the store and its secret it cannot be told from another program')]
  const url = addressOf(config.http)
  const { openUpstream } = await composeOutside(config, diagnosisTools(config))
  const upstream = openUpstream({
    ...oneAtATime(PATIENCE_MS),
    ...{ name: 'this gateway', baseUrl: url },
    ...{ firstByteTimeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS },
  })
  try {
    const place = { machine: hostname(), port: config.http.port }
    const challenge = makeChallenge(secrets)
    const { body } = await get(upstream, { path: '/healthz', headers: { [CHALLENGE_HEADER]: challenge } })
    const { proof } = Object(body)
    if (!isGatewayProof(proof, { challenge, place, secrets })) return [stranger(url)]
    return await askForBreakers(upstream, { url, adminKey: adminApiKey.reveal() })
  } catch (error) {
    const where = { url: new URL(url), setting: 'HOST and PORT', speaksTls: false }
    return [notAsked(explainConnection(error, where).detail)]
  } finally {
    await upstream.close()
  }
}

async function secretsOfStore(config: Config): Promise<Secrets> {
  await requireStore(config)
  const tools = openTools(config, { checkpoint: passCheckpoint, inCluster: false, makesSecret: false })
  const store = await openStore(config, tools, 'beside')
  try {
    await requireSecret({ ...store, ...tools })
    return tools.secrets
  } finally {
    await store.close()
  }
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
