import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, startGateway } from '../gateway.ts'
import { runSluice } from '../run-sluice.ts'

export interface TextGateway {
  url: string
  pid: number
  key: string
  stop(): Promise<void>
}

/** Far above the rate of a benchmark, but set: every request is counted against both. */
const REQUESTS_PER_MINUTE = '9000000'
const USD_PER_DAY = '1000000'

/** The real server in front of the upstream: a key with a rate, a user with a daily limit, prices on every model. */
export async function startSluice(
  upstreamUrl: string,
  added: Record<string, string> = {},
  workers?: number,
): Promise<TextGateway> {
  const dataDir = freshFolder()
  const providers = join(dataDir, 'sluice.yaml')
  const catalog = join(dataDir, 'catalog.yaml')
  writeFileSync(providers, providersAt(upstreamUrl))
  writeFileSync(catalog, CATALOG)
  const environment = {
    ...{ SLUICE_CONFIG: providers, DATA_DIR: dataDir, UPSTREAM_CONNECTIONS: '1024' },
    // A busy machine must not turn a measurement into refusals.
    SHED_LAG_MS: '60000',
    ...added,
  }
  const gateway = await startGateway({ dataDir, keep: true, environment, workers })
  await runSluice(['apply', catalog], environment)
  const org = await runSluice(['org', 'create', '--name', 'bench', '--postpaid'], environment)
  const user = await runSluice(['user', 'create', '--org', org.id], environment)
  await runSluice(['user', 'limit', user.id, '--daily-usd', USD_PER_DAY, '--enable'], environment)
  const { key } = await runSluice(
    ['key', 'create', '--org', org.id, '--user', user.id, '--rpm', REQUESTS_PER_MINUTE],
    environment,
  )
  return {
    ...{ url: gateway.url, pid: gateway.pid, key },
    async stop() {
      await gateway.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const MODELS = ['messages', 'responses', 'chat', 'paced-messages', 'paced-responses', 'paced-chat', 'embed']

function providersAt(upstreamUrl: string): string {
  const models = MODELS.map((name) => `      ${name}: { dialect: ${dialectOf(name)} }`)
  return `providers:
  vendorC:
    driver: text
    base_url: ${upstreamUrl}
    api_key: bench
    models:
${models.join('\n')}
`
}

function dialectOf(name: string): string {
  return name === 'embed' ? 'chat' : name.replace('paced-', '')
}

const CATALOG = `models:
${MODELS.map(
  (name, index) => `  - model_id: ${index + 900}
    name: vendorC/${name}
    endpoints: ${name === 'embed' ? '[embeddings]' : '[messages, responses, chat]'}
    max_output_tokens: 8192
    prices:
      - { unit: input_token, usd_per_million: 2 }
      - { unit: output_token, usd_per_million: 8 }
`,
).join('')}`
