import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const DIST = join(import.meta.dirname, '../dist')
const KB = 1_024

interface Chunk {
  file: string
  css?: string[]
  assets?: string[]
  imports?: string[]
}

beforeAll(async () => {
  if (existsSync(join(DIST, 'manifest.json'))) return
  const { buildConsole } = await import('../build.ts')
  await buildConsole()
})

test('everything that the sign-in page fetches has at most 120 KB, and the overview adds at most 60', () => {
  const first = filesOf('index.html', new Set(['index.html']))
  const overview = filesOf('src/pages/overview.tsx', new Set(first)).difference(first)
  const [firstKb, overviewKb] = [sizeOf(first), sizeOf(overview)]
  expect(firstKb).toBeGreaterThan(20)
  expect(firstKb).toBeLessThanOrEqual(120)
  expect(overviewKb).toBeGreaterThan(5)
  expect(overviewKb).toBeLessThanOrEqual(60)
})

function filesOf(name: string, found: Set<string>): Set<string> {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'))
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`${name} was not built`)
  for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) found.add(file)
  for (const other of chunk.imports ?? []) filesOf(other, found)
  return found
}

/** Compressed size in KB, as it is sent. */
function sizeOf(files: Set<string>): number {
  return [...files].reduce((sum, file) => sum + statSync(join(DIST, `${file}.br`)).size, 0) / KB
}
