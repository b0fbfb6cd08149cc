import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@redis/client'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { SECRET_KEY } from '../../../sandbox/assets/check-signature.ts'
import type { SandboxPart } from '../../../sandbox/part.ts'
import { PARTS } from '../../../sandbox/parts.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { CANARY } from '../../random/canary.ts'
import { freePort } from '../../servers/free-port.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { startRedis } from '../../servers/redis-server.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { startOtlpReceiver } from '../telemetry/otlp-receiver.ts'
import { startEchoingOpenId } from './echoing-openid.ts'
import { startGateway } from './harness/gateway-process.ts'
import { AUTHORITY_FILE } from './harness/tls-target.ts'
import { dumpRedis, type ReadableStore, readPostgres, readSqlite } from './read-places.ts'
import { textProvidersAt } from './text-world.ts'

/** Makes a secret that contains the canary, so that the log search of `npm run faults` finds it too. */
export const planted = (name: string) => `${CANARY}-${name}-0123456789abcdef`
export const SLUICE_SECRET = planted('deployment-secret')
export const SLUICE_SECRET_PREVIOUS = planted('previous-deployment-secret')
export const ADMIN_KEY = planted('admin-key')

interface Engines {
  env: Record<string, string>
  store: ReadableStore
  /** Everything that is kept outside of the store. */
  dumpCache(): Promise<string>
  /** Cuts what the gateway is connected to, so that it has errors to report. */
  breakDown(): Promise<void>
}

export async function embedded(): Promise<Engines> {
  const dataDir = dataFolder()
  return {
    env: { DATA_DIR: dataDir },
    store: readSqlite(dataDir),
    dumpCache: async () => '',
    breakDown: async () => {},
  }
}

export async function scaled(): Promise<Engines> {
  const [database, redis] = await Promise.all([freshDatabase(), startRedis()])
  onTestFinished(async () => {
    await Promise.all([database.drop(), redis.remove()])
  })
  const withPassword = (url: string, password: string) => {
    const changed = new URL(url)
    changed.password = password
    return changed.href
  }
  const DATABASE_URL = withPassword(database.url, planted('postgres-password'))
  const REDIS_URL = withPassword(redis.url, planted('redis-password'))
  const owner = createClient({ url: redis.url })
  await owner.connect()
  await owner.configSet('requirepass', planted('redis-password'))
  await owner.close()
  return {
    env: { DATABASE_URL, REDIS_URL },
    store: readPostgres(database.url),
    dumpCache: () => dumpRedis(REDIS_URL),
    async breakDown() {
      const client = new Client({ connectionString: database.url })
      await client.connect()
      const others = 'datname = current_database() and pid <> pg_backend_pid()'
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
      await client.end()
      await redis.crash()
    },
  }
}

function providersAt(url: string): string {
  return `providers:
  vendorA:
    driver: vendor-a
    base_url: ${url}/vendor-a/api/v3
    api_key: ${planted('vendor-a-key')}
    models: { gen-2.0: up-2.0, gen-2.0-fast: up-2.0-fast }
    assets:
      endpoint: ${url}/vendor-a-assets
      access_key: ${planted('asset-access-key')}
      secret_key: ${SECRET_KEY}
      region: region-1
      service: service-1
      can_delete: true
  vendorB: { driver: vendor-b, base_url: "${url}/vendor-b", api_key: ${planted('vendor-b-key')} }
${textProvidersAt(`${url}/text`)}`
}

/** Address in an order to which its vendor sends notices. */
const NOTICE_ADDRESS = /\/v1\/video\/result\?token=([\w-]+)/

function noteTokens(tokens: Set<string>, part: SandboxPart): SandboxPart {
  return {
    ...part,
    routes: part.routes.map((route) => ({
      ...route,
      handle(request) {
        const token = NOTICE_ADDRESS.exec(request.body.toString())?.[1]
        if (token !== undefined) tokens.add(token)
        return route.handle(request)
      },
    })),
  }
}

/** A gateway with a secret in every setting that takes one, with vendors, a collector and engines of the test. */
export async function openPlantedWorld(openEngines: () => Promise<Engines>) {
  const folder = dataFolder()
  const noticeTokens = new Set<string>()
  const parts = PARTS.map((create) => noteTokens(noticeTokens, create()))
  const sandbox = await startSandbox({ port: 0, speed: 1, parts, nowMs: Date.now })
  onTestFinished(() => sandbox.close())
  const collector = await startOtlpReceiver()
  onTestFinished(() => collector.close())
  const engines = await openEngines()
  const [configFile, catalogFile] = [join(folder, 'sluice.yaml'), join(folder, 'catalog.yaml')]
  writeFileSync(configFile, providersAt(sandbox.url))
  writeFileSync(
    catalogFile,
    'models:\n  - { model_id: 1, name: vendorA/gen-2.0, stand_ins: [vendorB/gen-v4-std] }\n',
  )
  const env = {
    ...engines.env,
    ...{ SLUICE_SECRET, SLUICE_SECRET_PREVIOUS, ADMIN_API_KEY: ADMIN_KEY },
    ...{ SLUICE_CONFIG: configFile, LOG_LEVEL: 'debug' },
    ...{ OIDC_ISSUER: await startEchoingOpenId(), OIDC_CLIENT_ID: 'sluice', OIDC_ROLE_OWNER: 'admins' },
    ...{ OIDC_CLIENT_SECRET: planted('openid-secret'), OUTBOUND_ALLOW: '127.0.0.1/32' },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_METRICS_EXPORTER: 'otlp' },
    ...{ NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE) },
  }
  // The store is made under the previous secret, so that the gateway starts during its change.
  await runSluice(['migrate'], { ...engines.env, SLUICE_SECRET: SLUICE_SECRET_PREVIOUS })
  const port = await freePort()
  const gateway = await startGateway({
    port,
    env: { ...env, VIDEO_WEBHOOK_BASE_URL: `http://127.0.0.1:${port}` },
  })
  onTestFinished(async () => void (await gateway.stop()))
  await runSluice(['apply', catalogFile], env)
  const rotateSecret = () => runSluice<object>(['secret', 'rotate'], env)
  return { ...engines, gateway, collector, sandbox, noticeTokens, rotateSecret }
}
