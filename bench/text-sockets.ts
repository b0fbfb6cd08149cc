import { once } from 'node:events'
import { WebSocket } from 'ws'
import { atMost, type Figures } from './figures.ts'
import { amountOf, inTurn, median } from './rounds.ts'
import { drive } from './text/drive.ts'
import { cpuSecondsOf } from './text/process-cost.ts'
import { openStage, type Way } from './text/stage.ts'

const CONCURRENT = 64
const PER_ROUND = 600
const WARM_UP_ROUNDS = 10

/** Streams of 100 events as server-sent events and over 64 WebSockets: the gateway's cost of one stream. */
export async function textSockets(): Promise<Figures[]> {
  const stage = await openStage({ stream: true, kinds: ['sluice'], clients: ['responses'] })
  const amount = amountOf(PER_ROUND)
  const measures = stage.ways.flatMap((way) => [
    {
      name: `${way.name}, SSE`,
      run: async (turns: number) => (await drive(way, turns, CONCURRENT)).cpuMicrosPerRequest,
    },
    { name: `${way.name}, WebSocket`, run: (turns: number) => driveSockets(way, turns) },
  ])
  try {
    for (const { run } of measures) await run(WARM_UP_ROUNDS * amount)
    const found = await inTurn(measures, ({ run }) => run(amount))
    const costs = measures.map((measure) => median(found.get(measure) ?? []))
    const rows = Object.fromEntries(
      measures.map(({ name }, at) => [name, { 'CPU µs per turn': costs[at] ?? NaN }]),
    )
    const goals = stage.ways.map(({ name }, at) =>
      atMost(
        `${name}: CPU over a WebSocket`,
        ((costs[at * 2 + 1] ?? NaN) / (costs[at * 2] ?? NaN)) * 100,
        100,
        '% of SSE',
      ),
    )
    return [{ title: 'Streams of 100 events, SSE and WebSocket', rows, goals, plotted: 'CPU µs per turn' }]
  } finally {
    await stage.stop()
  }
}

async function driveSockets(way: Way, turns: number): Promise<number> {
  const event = `{"type":"response.create",${way.request.body.toString().trimStart().slice(1)}`
  const { authorization = '' } = way.headers
  const sockets = Array.from(
    { length: Math.min(CONCURRENT, turns) },
    () => new WebSocket(`${way.url.replace(/^http/, 'ws')}/v1/responses`, { headers: { authorization } }),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  const before = cpuSecondsOf(way.pid)
  let left = turns
  await Promise.all(
    sockets.map(async (socket) => {
      while (left > 0) {
        left -= 1
        await turn(socket, event)
      }
    }),
  )
  const cpu = cpuSecondsOf(way.pid) - before
  for (const socket of sockets) socket.close()
  return (cpu / turns) * 1e6
}

function turn(socket: WebSocket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const listener = (data: unknown) => {
      const text = String(data)
      const isEnd = text.startsWith('{"type":"response.completed"')
      if (!isEnd && !text.startsWith('{"type":"error"')) return
      socket.off('message', listener)
      if (isEnd) resolve()
      else reject(new Error(text))
    }
    socket.on('message', listener)
    socket.send(event)
  })
}
