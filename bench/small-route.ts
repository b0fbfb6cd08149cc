import autocannon from 'autocannon'
import { type Figures, share } from './figures.ts'
import { startGateway } from './gateway.ts'
import { startPeer } from './peers/start-peer.ts'
import { IS_QUICK, inTurn, median } from './rounds.ts'

const SECONDS_PER_ROUND = IS_QUICK ? 1 : 3
const CONNECTIONS = 32
const GOAL = 0.65

interface Round {
  cpuMicrosPerRequest: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
}

interface Peer {
  name: string
  url: string
  headers: Record<string, string>
  cpuSeconds(): Promise<number>
}

/** An authenticated `GET /v1/models` beside bare node:http that sends the same bytes. */
export async function smallRoute(): Promise<Figures[]> {
  const gateway = await startGateway()
  const headers = { authorization: `Bearer ${gateway.key}` }
  const url = `${gateway.url}/v1/models`
  const reply = await fetch(url, { headers })
  if (reply.status !== 200) throw new Error(`GET /v1/models answered ${reply.status}`)
  const bare = await startPeer('bare-http.ts', { REPLY_BODY: await reply.text() })

  const peers: Peer[] = [
    { name: 'bare node:http', url: bare.url, headers, cpuSeconds: bare.cpuSeconds },
    { name: 'Sluice GET /v1/models', url, headers, cpuSeconds: gateway.cpuSeconds },
  ]
  for (const peer of peers) await measure(peer, 2)
  const rounds = await inTurn(peers, (peer) => measure(peer, SECONDS_PER_ROUND))
  await gateway.stop()
  bare.stop()
  return [figuresOf(rounds)]
}

async function measure(peer: Peer, seconds: number): Promise<Round> {
  const before = await peer.cpuSeconds()
  const result = await autocannon({
    url: peer.url,
    headers: peer.headers,
    connections: CONNECTIONS,
    duration: seconds,
  })
  const cpu = (await peer.cpuSeconds()) - before
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${peer.name}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  }
  return {
    cpuMicrosPerRequest: (cpu / result.requests.total) * 1e6,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}

function figuresOf(rounds: ReadonlyMap<Peer, readonly Round[]>): Figures {
  const rows = [...rounds].map(([{ name }, found]) => ({
    name,
    cpuMicros: median(found.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)),
    row: {
      'CPU us/request': median(found.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)),
      'requests/s': median(found.map(({ requestsPerSecond }) => requestsPerSecond)),
      'p50 ms': median(found.map(({ p50Ms }) => p50Ms)),
      'p99 ms': median(found.map(({ p99Ms }) => p99Ms)),
    },
  }))
  const [bare, sluice] = rows.map(({ cpuMicros }) => cpuMicros)
  return {
    ...{ title: 'A small authenticated route, 32 at once', plotted: 'CPU us/request' },
    rows: Object.fromEntries(rows.map(({ name, row }) => [name, row])),
    goals: [share('GET /v1/models, of bare node:http', (bare ?? NaN) / (sluice ?? NaN), GOAL)],
  }
}
