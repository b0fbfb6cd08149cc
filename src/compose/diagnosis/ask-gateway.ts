import { hostname } from 'node:os'
import { requireSecret } from '../../app/access/confirm-secret.ts'
import { CHALLENGE_HEADER, isGatewayProof, makeChallenge } from '../../app/access/gateway-proof.ts'
import { urlOf } from '../../http/server/url-of.ts'
import { passCheckpoint } from '../../ports/checkpoint.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Config } from '../config.ts'
import { openStore, requireStore } from '../engines.ts'
import { composeOutside } from '../outside.ts'
import { diagnosisTools, openTools } from '../tools.ts'
import { askJson, type DiagnosisCommand, oneAtATime } from './check-probe.ts'
import { explainConnection } from './explain-connection.ts'

const PATIENCE_MS = 2_000

/** Reads the secrets that check a gateway's proof. Rejects when the store or its secret cannot be read. */
export type ReadSecrets = (config: Config) => Promise<Secrets>

export type GatewayAnswer =
  | { kind: 'answered'; url: string; status: number; body: unknown }
  /** The listener did not prove that it is this gateway. */
  | { kind: 'stranger'; url: string }
  | { kind: 'not-asked'; why: string }
  /** ADMIN_API_KEY is not set. */
  | { kind: 'no-key' }

/**
 * Calls a path of the admin API of the gateway that runs with these settings on this machine. While the
 * gateway does not run, any program may listen on its port. So a listener gets the admin key only after it
 * has proved that it has the deployment's secret.
 */
export async function askGateway(
  config: Config,
  { path, command }: { path: string; command: DiagnosisCommand },
  readSecrets: ReadSecrets = secretsOfStore,
): Promise<GatewayAnswer> {
  const { adminApiKey } = config.secrets
  if (adminApiKey === undefined) return { kind: 'no-key' }
  const secrets = await readSecrets(config).catch(() => undefined)
  if (secrets === undefined) {
    const why = 'without the store and its secret it cannot be told from another program'
    return { kind: 'not-asked', why }
  }
  const { host, port } = config.http
  const url = urlOf({ host: LOCAL.get(host) ?? host, port })
  const { openUpstream } = await composeOutside(config, diagnosisTools(config))
  const upstream = openUpstream({ ...oneAtATime(PATIENCE_MS), name: 'this gateway', baseUrl: url })
  try {
    const place = { machine: hostname(), port: config.http.port }
    const challenge = makeChallenge(secrets)
    const get = { operation: command, method: 'GET' } as const
    const asked = { ...get, path: '/healthz', headers: { [CHALLENGE_HEADER]: challenge } }
    const { body } = await askJson(upstream, asked, PATIENCE_MS)
    const { proof } = Object(body)
    if (!isGatewayProof(proof, { challenge, place, secrets })) return { kind: 'stranger', url }
    const headers = { 'x-admin-key': adminApiKey.reveal() }
    return { kind: 'answered', url, ...(await askJson(upstream, { ...get, path, headers }, PATIENCE_MS)) }
  } catch (error) {
    const where = { url: new URL(url), setting: 'HOST and PORT', speaksTls: false }
    return { kind: 'not-asked', why: explainConnection(error, where).detail }
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

const LOCAL = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])
