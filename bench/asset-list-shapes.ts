import { performance } from 'node:perf_hooks'
import type { AssetStore } from '../src/ports/asset-store.ts'
import { median } from './median.ts'

type Query = Parameters<AssetStore['list']>[0]

const READS = 30
const BLOCK_MS_MAX = 5

/**
 * What each shape of a list costs: how long a client waits, the CPU of this process, threads included (a database
 * server's own is not in it), and that of the thread that serves requests alone, during which other requests wait. CPU,
 * because between two turns of its event loop a busy machine runs other programs too.
 */
export async function assetShapes({
  engine,
  assets,
  count,
  query,
}: {
  engine: string
  assets: Pick<AssetStore, 'list'>
  count: number
  query: Query
}): Promise<void> {
  const shapes: [string, Query][] = [
    ['first page', { ...query, page: 1 }],
    ['middle page', { ...query, page: count / query.limit / 2 }],
    ['name in every row', { ...query, name: 'portrait' }],
    ['name in a few rows', { ...query, name: '12345' }],
    ['name in no row', { ...query, name: 'no such name' }],
  ]
  for (const [name, shape] of shapes) {
    const { takenMs, cpuMs, blockedMs } = await measure(() => assets.list(shape))
    const verdict = blockedMs <= BLOCK_MS_MAX ? 'reached' : 'MISSED'
    console.log(
      `${engine}, ${name}: ${takenMs.toFixed(2)} ms, CPU ${cpuMs.toFixed(2)} ms, of the main thread ${blockedMs.toFixed(2)} ms (goal ${BLOCK_MS_MAX}: ${verdict})`,
    )
  }
}

async function measure(read: () => Promise<unknown>) {
  // The first one starts threads and fills caches.
  await read()
  const taken: number[] = []
  const all = process.cpuUsage()
  const main = process.threadCpuUsage()
  for (let count = 0; count < READS; count++) {
    const beganMs = performance.now()
    await read()
    taken.push(performance.now() - beganMs)
  }
  return {
    takenMs: median(taken),
    cpuMs: perRead(process.cpuUsage(all)),
    blockedMs: perRead(process.threadCpuUsage(main)),
  }
}

function perRead({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000 / READS
}
