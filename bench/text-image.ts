import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freshFolder } from './gateway.ts'
import { median } from './median.ts'
import { startPeer } from './peers/start-peer.ts'
import { GOAL_BLOCKED_MS, verdict } from './text/goals.ts'
import { requestIn } from './text/requests.ts'
import { startSluice } from './text/start-sluice.ts'

const ROUNDS = 9
const IMAGES = 3
const IMAGE_BYTES = 4 * 1024 * 1024
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

interface Longest {
  wallMs: number
  cpuMs: number
}

/** One request with 12 MB of images: how long other requests wait for it. */
export async function textImage(): Promise<void> {
  await using started = new AsyncDisposableStack()
  const upstream = started.adopt(await startPeer('text-upstream.ts', {}), (peer) => peer.stop())
  const folder = started.adopt(freshFolder(), (path) => rmSync(path, { recursive: true, force: true }))
  const file = join(folder, 'lag.json')
  const probe = pathToFileURL(join(import.meta.dirname, 'text/lag-probe.ts'))
  const added = { BENCH_LAG_FILE: file, NODE_OPTIONS: `--import=${probe}` }
  const sluice = started.adopt(await startSluice(upstream.url, added), (gateway) => gateway.stop())
  const images = Array.from({ length: IMAGES }, () =>
    Buffer.concat([PNG, randomBytes(IMAGE_BYTES - PNG.length)]).toString('base64'),
  )
  const headers = {
    ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    authorization: `Bearer ${sluice.key}`,
  }
  for (const [client, model] of CELLS) {
    const request = requestIn(client, { model: `vendorC/${model}`, stream: false, images })
    const turns: Longest[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await readLag(sluice.pid, file)
      const answer = await fetch(sluice.url + request.path, { method: 'POST', headers, body: request.body })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${client} -> ${model} answered ${answer.status}`)
      turns.push(await readLag(sluice.pid, file))
    }
    report(`${client} -> ${model}`, turns)
  }
}

const CELLS = [
  ['messages', 'messages'],
  ['responses', 'responses'],
  ['messages', 'chat'],
  ['messages', 'responses'],
  ['responses', 'chat'],
] as const

async function readLag(pid: number, file: string): Promise<Longest> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(2)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function report(name: string, turns: readonly Longest[]): void {
  const cpuMs = median(turns.map((turn) => turn.cpuMs))
  const wallMs = median(turns.map((turn) => turn.wallMs))
  const reached = verdict(cpuMs <= GOAL_BLOCKED_MS)
  console.log(
    `${name}, 12 MB of images: longest turn ${cpuMs.toFixed(0)} ms of CPU, ${wallMs.toFixed(0)} ms by the clock (goal at most ${GOAL_BLOCKED_MS}: ${reached})`,
  )
}
