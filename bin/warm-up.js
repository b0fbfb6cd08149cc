// Runs once after an install and loads what a start loads, so that the very first start is as quick and as small as
// every later one. Nothing depends on it: whatever goes wrong here is left to that start.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const scratch = mkdtempSync(join(tmpdir(), 'sluice-warm-up-'))
try {
  const { useCompileCache } = await import('./compile-cache.js')
  useCompileCache()
  await import('../src/main.ts')
  await import('../src/process/start-server.ts')
  await import('../sandbox/server.ts')
  const { openSqliteStore } = await import('../src/adapters/sqlite/open-store.ts')
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const store = await openSqliteStore({ dataDir: scratch, role: 'server', log })
  await store.close()
  const { flushCompileCache } = await import('node:module')
  flushCompileCache()
} catch {
  // An older Node, or sources that are not there yet.
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
