import autocannon from 'autocannon'
import { startGateway } from './gateway.ts'
import { startPeer } from './peers/start-peer.ts'

const ROUNDS = 5
const SECONDS_PER_ROUND = 4
const CONNECTIONS = 32
const GOAL = 0.6

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
export async function smallRoute(): Promise<void> {
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
  const rounds = new Map<Peer, Round[]>(peers.map((peer) => [peer, []]))
  for (const peer of peers) await measure(peer, 2)
  for (let round = 0; round < ROUNDS; round++) {
    for (const peer of peers) rounds.get(peer)?.push(await measure(peer, SECONDS_PER_ROUND))
  }
  await gateway.stop()
  bare.stop()
  report(peers, rounds)
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

function report(peers: Peer[], rounds: Map<Peer, Round[]>): void {
  const rows = peers.map((peer) => ({ name: peer.name, ...medianRound(rounds.get(peer) ?? []) }))
  console.table(
    Object.fromEntries(
      rows.map(({ name, ...row }) => [
        name,
        {
          'CPU us/request': row.cpuMicrosPerRequest.toFixed(1),
          'requests/s': Math.round(row.requestsPerSecond),
          'p50 ms': row.p50Ms,
          'p99 ms': row.p99Ms,
        },
      ]),
    ),
  )
  const [bare, sluice] = rows
  if (bare === undefined || sluice === undefined) return
  const share = bare.cpuMicrosPerRequest / sluice.cpuMicrosPerRequest
  const verdict = share >= GOAL ? 'reached' : 'MISSED'
  console.log(`${(share * 100).toFixed(0)} % of bare by CPU per request (goal ${GOAL * 100} %: ${verdict})`)
}

function medianRound(rounds: Round[]): Round {
  const median = (pick: (round: Round) => number) =>
    rounds.map(pick).toSorted((a, b) => a - b)[rounds.length >> 1] ?? NaN
  return {
    cpuMicrosPerRequest: median((round) => round.cpuMicrosPerRequest),
    requestsPerSecond: median((round) => round.requestsPerSecond),
    p50Ms: median((round) => round.p50Ms),
    p99Ms: median((round) => round.p99Ms),
  }
}
