import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freshFolder } from '../gateway.ts'
import { startPeer } from '../peers/start-peer.ts'
import { startSluice } from './start-sluice.ts'

export interface Longest {
  wallMs: number
  cpuMs: number
}

export const GOAL_TURN_MS = 60

/**
 * A gateway that reports the longest turn of its event loop during one request. Without `vendorUrl` it starts a vendor.
 */
export async function startWatched(vendorUrl?: string) {
  await using started = new AsyncDisposableStack()
  const upstreamUrl =
    vendorUrl ?? started.adopt(await startPeer('text-upstream.ts', {}), (peer) => peer.stop()).url
  const folder = started.adopt(freshFolder(), (path) => rmSync(path, { recursive: true, force: true }))
  const file = join(folder, 'lag.json')
  const { url, key, pid } = started.adopt(await startSluice(upstreamUrl, watching(file)), (gateway) =>
    gateway.stop(),
  )
  const headers = {
    ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    authorization: `Bearer ${key}`,
  }
  const everything = started.move()
  return {
    async send(
      path: string,
      body: string | Buffer,
      more: Record<string, string> = {},
    ): Promise<Longest & { status: number }> {
      await readLag(pid, file)
      const answer = await fetch(url + path, { method: 'POST', headers: { ...headers, ...more }, body })
      // Reading fails when the vendor broke off the reply.
      await answer.arrayBuffer().catch(() => {})
      return { ...(await readLag(pid, file)), status: answer.status }
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  }
}

/** Environment of a gateway that writes its longest turn into this file on request. */
export function watching(file: string): { BENCH_LAG_FILE: string; NODE_OPTIONS: string } {
  const probe = pathToFileURL(join(import.meta.dirname, 'lag-probe.ts'))
  return { BENCH_LAG_FILE: file, NODE_OPTIONS: `--import=${probe}` }
}

/** The longest turn since the last call. */
export async function readLag(pid: number, file: string): Promise<Longest> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(2)
  return JSON.parse(readFileSync(file, 'utf8'))
}
