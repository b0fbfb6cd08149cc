import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { type Figures, share } from './figures.ts'
import { freshFolder, type Gateway, startGateway } from './gateway.ts'
import { startPeer } from './peers/start-peer.ts'
import { amountOf, inTurn, median } from './rounds.ts'
import { runSluice } from './run-sluice.ts'

const CREATES = amountOf(1_000)
const READS = amountOf(2_000)
const CONNECTIONS = 32
const GOAL = 0.75
const BODY = JSON.stringify({
  model: 'vendorA/gen-2.0',
  content: [{ type: 'text', text: 'A barge passes a lock at dawn' }],
})

interface Call {
  path: string
  amount: number
  method?: 'GET' | 'POST'
  body?: string
}

const CREATE: Call = { path: '/v1/video/generations', amount: CREATES, method: 'POST', body: BODY }

interface Peer {
  name: string
  url: string
  headers: Record<string, string>
  cpuSeconds(): Promise<number>
}

/** Create calls through the sandbox vendor, beside the two transactions and the one vendor call that each needs. */
export async function videoCreate(): Promise<Figures[]> {
  const dataDir = freshFolder()
  // The sandbox of this process serves both sides, so that the vendor's work counts for neither.
  const host = await startGateway({ environment: { SANDBOX_PORT: '0' } })
  const gateway = await startWithVendors(host, dataDir)
  const bare = await startPeer('bare-create.ts', {
    DATABASE: join(dataDir, 'sluice.db'),
    VENDOR: `${host.sandboxUrl}/vendor-a/api/v3`,
    ORGANIZATION: gateway.organizationId,
  })
  const json = { 'content-type': 'application/json' }
  const peers: Peer[] = [
    { name: 'bare', headers: json, ...bare },
    { name: 'Sluice', headers: { ...json, authorization: `Bearer ${gateway.key}` }, ...gateway },
  ]
  for (const peer of peers) await measure(peer, CREATE)
  const creates = await inTurn(peers, (peer) => measure(peer, CREATE))
  const [, sluice] = peers
  if (sluice === undefined) throw new Error('no gateway to read from')
  const created = await fetch(sluice.url + CREATE.path, {
    method: 'POST',
    headers: sluice.headers,
    body: BODY,
  })
  const { id } = (await created.json()) as { id: string }
  const reads = {
    'GET of one task': { path: `${CREATE.path}/${id}`, amount: READS },
    'GET of a page of 20': { path: `${CREATE.path}?limit=20`, amount: READS },
  }
  const readMicros = await inTurn(Object.values(reads), (read) => measure(sluice, read))
  bare.stop()
  await gateway.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })

  const [bareMicros = NaN, ourMicros = NaN] = [...creates.values()].map(median)
  const rows = Object.entries(reads).map(([name, read]) => [
    `Sluice, ${name}`,
    { 'CPU us/request': median(readMicros.get(read) ?? []) },
  ])
  return [
    {
      ...{ title: 'Video tasks over HTTP, 32 at once', plotted: 'CPU us/request' },
      rows: {
        'bare create: two transactions and one call': { 'CPU us/request': bareMicros },
        'Sluice, create': { 'CPU us/request': ourMicros },
        ...Object.fromEntries(rows),
      },
      goals: [share('Video create, of the bare statements and call', bareMicros / ourMicros, GOAL)],
    },
  ]
}

/** A gateway whose vendor is the sandbox of `host`, with an organization that can pay for everything. */
async function startWithVendors(
  host: Gateway,
  dataDir: string,
): Promise<Gateway & { organizationId: string }> {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'sluice.yaml')
  writeFileSync(
    file,
    `providers:
  vendorA:
    driver: vendor-a
    base_url: ${host.sandboxUrl}/vendor-a/api/v3
    api_key: sandbox
    models: { gen-2.0: gen-2.0 }
`,
  )
  const environment = { SLUICE_CONFIG: file, DATA_DIR: dataDir, VIDEO_SWEEP_INTERVAL_MS: '3600000' }
  const gateway = await startGateway({ dataDir, keep: true, environment })
  const { id: organizationId } = await runSluice(
    ['org', 'create', '--name', 'bench', '--postpaid'],
    environment,
  )
  const user = await runSluice(['user', 'create', '--org', organizationId], environment)
  const { key } = await runSluice(['key', 'create', '--org', organizationId, '--user', user.id], environment)
  return { ...gateway, key, organizationId }
}

async function measure(peer: Peer, { path, amount, method = 'GET', body }: Call): Promise<number> {
  const before = await peer.cpuSeconds()
  const result = await autocannon({
    ...{ url: peer.url + path, method, headers: peer.headers, connections: CONNECTIONS, amount },
    ...(body === undefined ? {} : { body }),
  })
  const cpu = (await peer.cpuSeconds()) - before
  if (result['2xx'] !== amount)
    throw new Error(`${peer.name}: ${result['2xx']} of ${amount} answers were 2xx`)
  return (cpu / amount) * 1e6
}
