import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { BODY_SHAPES, type BodyShape, MODEL } from '../test/api/text/body-shapes.ts'
import { freshFolder } from './gateway.ts'
import { median } from './median.ts'
import { startPeer } from './peers/start-peer.ts'
import { GOAL_BLOCKED_MS, verdict } from './text/goals.ts'
import { startSluice } from './text/start-sluice.ts'

/** Just below the limit, as many as stay on the main thread, and few. */
const SIZES_BYTES = [31 * 1024 * 1024, 250 * 1024, 60 * 1024]
const ROUNDS = 3

const PATHS = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  count: '/v1/messages/count_tokens',
} as const

interface Longest {
  wallMs: number
  cpuMs: number
}

/** Bodies that are costly in forty ways: for how long each of them keeps every other request waiting. */
export async function bodyShapes(): Promise<void> {
  await using started = new AsyncDisposableStack()
  const upstream = started.adopt(await startPeer('text-upstream.ts', {}), (peer) => peer.stop())
  const folder = started.adopt(freshFolder(), (path) => rmSync(path, { recursive: true, force: true }))
  const file = join(folder, 'lag.json')
  const probe = pathToFileURL(join(import.meta.dirname, 'text/lag-probe.ts'))
  const added = { BENCH_LAG_FILE: file, NODE_OPTIONS: `--import=${probe}` }
  const sluice = started.adopt(await startSluice(upstream.url, added), (gateway) => gateway.stop())
  const headers = {
    ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    authorization: `Bearer ${sluice.key}`,
  }
  const send = async (shape: BodyShape, bytes: number) => {
    const body = withModel(shape.make(bytes), `vendorC/${shape.vendor}`)
    const answer = await fetch(sluice.url + PATHS[shape.endpoint], { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return answer.status
  }
  for (const bytes of SIZES_BYTES) {
    const found: { name: string; turn: Longest; statuses: Set<number> }[] = []
    for (const shape of BODY_SHAPES) {
      const statuses = new Set<number>()
      const turns: Longest[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        await readLag(sluice.pid, file)
        statuses.add(await send(shape, bytes))
        turns.push(await readLag(sluice.pid, file))
      }
      const turn = {
        cpuMs: median(turns.map(({ cpuMs }) => cpuMs)),
        wallMs: median(turns.map(({ wallMs }) => wallMs)),
      }
      found.push({ name: `${shape.name}, ${shape.endpoint} to ${shape.vendor}`, turn, statuses })
    }
    report(bytes, found)
  }
}

/** The name stands near the beginning; megabytes are not made a text for it. */
function withModel(body: Buffer, model: string): Buffer {
  const at = body.indexOf(MODEL)
  if (at === -1) return body
  return Buffer.concat([body.subarray(0, at), Buffer.from(model), body.subarray(at + MODEL.length)])
}

async function readLag(pid: number, file: string): Promise<Longest> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(2)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function report(bytes: number, found: { name: string; turn: Longest; statuses: Set<number> }[]): void {
  const sorted = found.toSorted((one, other) => other.turn.cpuMs - one.turn.cpuMs)
  for (const { name, turn, statuses } of sorted.slice(0, 5)) {
    const { cpuMs, wallMs } = turn
    const times = `${cpuMs.toFixed(0)} ms of CPU, ${wallMs.toFixed(0)} ms by the clock`
    console.log(`  ${name} (${[...statuses].join(', ')}): longest turn ${times}`)
  }
  const longest = sorted[0]?.turn.cpuMs ?? 0
  const size = `${found.length} shapes of ${Math.round(bytes / 1024)} KiB`
  const reached = verdict(longest <= GOAL_BLOCKED_MS)
  console.log(
    `${size}: longest turn ${longest.toFixed(0)} ms of CPU (goal at most ${GOAL_BLOCKED_MS}: ${reached})`,
  )
}
