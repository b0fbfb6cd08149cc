import { performance } from 'node:perf_hooks'
import type { AssetStore } from '../src/ports/asset-store.ts'
import { atMost, type Figures } from './figures.ts'
import { median } from './rounds.ts'

type Query = Parameters<AssetStore['list']>[0]

const READS = 30
const BLOCK_MS_MAX = 5

/**
 * Measures each shape of a list: the client's wait, the CPU time of this process with all its threads (without that of
 * a database server), and the CPU time of the main thread, during which other requests wait. Time by the clock would
 * include other programs of a busy machine.
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
}): Promise<Figures> {
  const shapes: [string, Query][] = [
    ['first page', { ...query, page: 1 }],
    ['middle page', { ...query, page: count / query.limit / 2 }],
    ['name in every row', { ...query, name: 'portrait' }],
    ['name in a few rows', { ...query, name: '12345' }],
    ['name in no row', { ...query, name: 'no such name' }],
  ]
  const rows: Figures['rows'] = {}
  let longestMs = 0
  for (const [name, shape] of shapes) {
    const { takenMs, cpuMs, blockedMs } = await measure(() => assets.list(shape))
    longestMs = Math.max(longestMs, blockedMs)
    rows[name] = { ms: takenMs, 'CPU ms': cpuMs, 'of the main thread': blockedMs }
  }
  return {
    ...{ title: `Lists of ${count} assets on ${engine}`, rows },
    goals: [atMost(`Asset lists on ${engine}, CPU of the main thread`, longestMs, BLOCK_MS_MAX, 'ms')],
  }
}

async function measure(read: () => Promise<unknown>) {
  // The first read starts threads and fills caches.
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
