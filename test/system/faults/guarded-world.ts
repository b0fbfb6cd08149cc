import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { isIPv6 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { composeSender, openMediaLater } from '../../../src/compose/outside.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { silentMetrics } from '../../silent-metrics.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { CANARIES_V4, CANARIES_V6, forbiddenUrls, NAMES, STRANGER } from './forbidden-urls.ts'
import { startDnsServer } from './harness/dns-server.ts'
import { startGateway } from './harness/gateway-process.ts'
import { NO_PROVIDERS } from './harness/no-providers.ts'
import { AUTHORITY_FILE, trustTestAuthority } from './harness/tls-target.ts'

/**
 * Runs in its own network (`unshare --net --mount`) without other machines: it has the addresses of all canaries,
 * and a DNS server with changing answers. Every forbidden address is sent to every place that accepts one; the report
 * says which connections were made.
 */
export interface GuardReport {
  urls: number
  /** Number of URLs for each place. */
  sinks: Record<string, number>
  /** Connections to canaries, by sink: there must be none. */
  reached: string[]
  /** Connections to the foreign server: they prove that connections are counted. */
  allowed: number
}

const ADMIN_API_KEY = 'an-admin-key-of-this-test'
const [every = '1'] = process.argv.slice(2)

const accepted: string[] = []
let place = 'start'
/** Address to which the stranger's server redirects. */
let redirectTo = ''

await main()

async function main(): Promise<void> {
  joinNetwork()
  const servers = await Promise.all([443, 8443].map(openCanary))
  const turns = new Map<string, number>()
  const dns = await startDnsServer(
    (name) => {
      const answers = NAMES[name]
      if (answers === undefined) return 'none'
      const turn = turns.get(name) ?? 0
      turns.set(name, turn + 1)
      return answers[turn % answers.length] ?? []
    },
    { port: 53 },
  )
  const urls = forbiddenUrls().filter((_, number) => number % Number(every) === 0)
  const sinks: Record<string, number> = {}
  const give = async (name: string, send: (url: string) => Promise<unknown>) => {
    place = name
    const left = [...urls]
    const runLane = async () => {
      for (let url = left.pop(); url !== undefined; url = left.pop()) await send(url)
    }
    // Each connection to the stranger's server belongs to one redirect.
    await Promise.all(Array.from({ length: name.includes('redirect') ? 1 : 4 }, runLane))
    sinks[name] = urls.length
  }
  await giveToClients(give)
  await giveToGateway(give, urls)
  const isAllowed = (line: string) => line.endsWith(` ${STRANGER.address}`)
  const report: GuardReport = {
    urls: urls.length,
    sinks,
    reached: accepted.filter((line) => !isAllowed(line)),
    allowed: accepted.filter(isAllowed).length,
  }
  process.stdout.write(`${JSON.stringify(report)}\n`)
  await dns.close()
  for (const server of servers) server.close()
  process.exit(0)
}

function joinNetwork(): void {
  const ip = (...words: string[]) => execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'inherit'] })
  ip('link', 'set', 'lo', 'up')
  for (const address of [...CANARIES_V4, ...CANARIES_V6, STRANGER.address]) {
    if (address.startsWith('127.') || address === '::1') continue
    ip('addr', 'add', `${address}/${isIPv6(address) ? 128 : 32}`, 'dev', 'lo')
  }
}

async function openCanary(port: number) {
  const fixture = (name: string) => readFileSync(new URL(`./harness/fixtures/${name}`, import.meta.url))
  const server = createServer(
    { cert: fixture('server.pem'), key: fixture('server-key.pem') },
    (_, response) => response.writeHead(redirectTo === '' ? 204 : 302, { location: redirectTo }).end(),
  )
  server.on('connection', ({ localAddress = '' }) => {
    accepted.push(`${place} ${localAddress.replace('::ffff:', '')}`)
  })
  server.on('tlsClientError', () => {})
  server.listen(port, '::')
  await once(server, 'listening')
  return server
}

type Give = (name: string, send: (url: string) => Promise<unknown>) => Promise<void>

/** Clients for callbacks and media, as the gateway composes them. */
async function giveToClients(give: Give): Promise<void> {
  trustTestAuthority()
  const config = readConfig({ environment: { SLUICE_CONFIG: NO_PROVIDERS }, readFile: () => 'providers: {}' })
  const tools = {
    clock: systemClock,
    log: { ...SILENT_LOG, logRequest() {}, flush: async () => {} },
    metrics: silentMetrics(),
  }
  const sendCallback = await composeSender(config, tools)
  const openMedia = openMediaLater({ config, tools, origins: () => [] })
  const callback = (url: string) =>
    sendCallback(
      { id: 'msg_1', atMs: 0, body: '{}', secrets: ['whsec_AAAA'], url, organizationId: `org_${url}` },
      new AbortController().signal,
    )
  const media = (url: string) =>
    openMedia({
      ...{ url, kind: 'Video', range: undefined, organizationId: `org_${url}` },
      signal: new AbortController().signal,
    }).then(
      () => {},
      () => {},
    )
  const leadTo = (send: (url: string) => Promise<unknown>) => async (url: string) => {
    redirectTo = encodeURI(url)
    await send(`https://${STRANGER.name}/`)
    redirectTo = ''
  }
  await give('callback', callback)
  await give('media', media)
  await give('callback-redirect', leadTo(callback))
  await give('media-redirect', leadTo(media))
}

/** Every field of the API that takes an address. */
async function giveToGateway(give: Give, urls: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-guarded-'))
  const env = {
    DATA_DIR: folder,
    SLUICE_SECRET: 'a secret of more than thirty-two characters',
    ADMIN_API_KEY,
    SANDBOX: 'on',
    SANDBOX_SPEED: '1000',
    VIDEO_SWEEP_INTERVAL_MS: '200',
    NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE),
    LOG_LEVEL: 'error',
  }
  const gateway = await startGateway({ env })
  const run = (...words: string[]) => runSluice<{ id: string; key: string }>(words, env)
  const { id: org } = await run('org', 'create', '--name', 'a', '--prepaid')
  const { id: user } = await run('user', 'create', '--org', org)
  await run('credit', 'add', '--org', org, '--usd', '100000')
  const { key } = await run('key', 'create', '--org', org, '--user', user)
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${gateway.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'x-admin-key': ADMIN_API_KEY,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify(body),
    })
    if (answer.status >= 500 && answer.status !== 503)
      throw new Error(`${path} ${answer.status} ${await answer.text()}`)
    await answer.text()
  }
  const task = (more: object, ...items: object[]) =>
    post('/v1/video/generations', {
      model: 'vendorB/gen-v4-std',
      content: [{ type: 'text', text: 'a boat [instant]' }, ...items],
      ...more,
    })
  await give('POST /admin/v1/callbacks/test', (url) =>
    post('/admin/v1/callbacks/test', { organization_id: org, url }),
  )
  await give('POST /v1/video/generations callback_url', (url) => task({ callback_url: url }))
  await untilTried(join(folder, 'sluice.db'))
  for (const type of ['image_url', 'video_url', 'audio_url'])
    await give(`POST /v1/video/generations ${type}`, (url) => task({}, { type, [type]: { url } }))
  await give('POST /v1/video/assets url', (url) => post('/v1/video/assets', { url, asset_type: 'Image' }))
  await give('POST /v1/video/assets/sessions callback_url', (url) =>
    post('/v1/video/assets/sessions', { callback_url: url }),
  )
  await give('POST /admin/v1/organizations/{id} events_url', (url) =>
    post(`/admin/v1/organizations/${org}`, { events_url: url }),
  )
  await give('POST /v1/messages image', (url) =>
    post('/v1/messages', {
      model: 'vendorD/text-large',
      max_tokens: 5,
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
    }),
  )
  await give('POST /v1/responses input_image', (url) =>
    post('/v1/responses', {
      model: 'vendorC/model-o3',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
    }),
  )
  await gateway.stop()
  rmSync(folder, { recursive: true })
  if (urls.length === 0) throw new Error('no URL was given')
}

/** Resolves when every task has ended and every callback has had its first attempt. */
async function untilTried(file: string): Promise<void> {
  const untilMs = Date.now() + 60_000
  const statement = `select (select count(*) from video_tasks where status not in ('succeeded', 'failed', 'cancelled'))
    + (select count(*) from video_callbacks where attempt_count = 0 and state = 'pending') as missing`
  for (;;) {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    if (Number(database.prepare(statement).get()?.missing) === 0) return
    if (Date.now() > untilMs) throw new Error('callbacks were not tried within 60 s')
    await delay(100)
  }
}
