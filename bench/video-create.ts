import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { freshFolder, type Gateway, startGateway } from './gateway.ts'
import { median } from './median.ts'
import { startPeer } from './peers/start-peer.ts'
import { runSluice } from './run-sluice.ts'

const ROUNDS = 5
const CREATES = 1_000
const CONNECTIONS = 32
const GOAL = 0.5
const BODY = JSON.stringify({
  model: 'vendorA/gen-2.0',
  content: [{ type: 'text', text: 'A barge passes a lock at dawn' }],
})

interface Peer {
  name: string
  url: string
  headers: Record<string, string>
  cpuSeconds(): Promise<number>
}

/** Create calls through the sandbox vendor, beside the two transactions and the one vendor call that each needs. */
export async function videoCreate(): Promise<void> {
  const dataDir = freshFolder()
  // Its sandbox serves both; in a process of its own, so that the vendor's work counts for neither side.
  const host = await startGateway({ environment: { SANDBOX_PORT: '0' } })
  const gateway = await startWithVendors(host, dataDir)
  const bare = await startPeer('bare-create.ts', {
    DATABASE: join(dataDir, 'sluice.db'),
    VENDOR: `${host.sandboxUrl}/vendor-a/api/v3`,
    ORGANIZATION: gateway.organizationId,
  })
  const json = { 'content-type': 'application/json' }
  const peers: Peer[] = [
    { name: 'bare: two transactions and one call', headers: json, ...bare },
    { name: 'Sluice', headers: { ...json, authorization: `Bearer ${gateway.key}` }, ...gateway },
  ]
  const costs = new Map<Peer, number[]>(peers.map((peer) => [peer, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const peer of peers) {
      const cost = await measure(peer)
      // The first round warms up.
      if (round > 0) costs.get(peer)?.push(cost)
    }
  }
  bare.stop()
  await gateway.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
  report(peers.map((peer) => ({ name: peer.name, micros: median(costs.get(peer) ?? []) })))
}

/** A gateway of its own with the other one's sandbox as its vendor, and an organization that can pay for everything. */
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

async function measure(peer: Peer): Promise<number> {
  const before = await peer.cpuSeconds()
  const result = await autocannon({
    url: `${peer.url}/v1/video/generations`,
    method: 'POST',
    headers: peer.headers,
    body: BODY,
    connections: CONNECTIONS,
    amount: CREATES,
  })
  const cpu = (await peer.cpuSeconds()) - before
  if (result['2xx'] !== CREATES)
    throw new Error(`${peer.name}: ${result['2xx']} of ${CREATES} answers were 2xx`)
  return (cpu / CREATES) * 1e6
}

function report(rows: { name: string; micros: number }[]): void {
  console.table(
    Object.fromEntries(rows.map(({ name, micros }) => [name, { 'CPU us/create': micros.toFixed(0) }])),
  )
  const [bare, sluice] = rows
  if (bare === undefined || sluice === undefined) return
  const share = bare.micros / sluice.micros
  const verdict = share >= GOAL ? 'reached' : 'MISSED'
  console.log(`${(share * 100).toFixed(0)} % of bare by CPU per create (goal ${GOAL * 100} %: ${verdict})`)
}
