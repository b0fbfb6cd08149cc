// Runs once after an install: it makes the bundle and loads what a start loads, so that the very first start is as quick
// and as small as every later one. Nothing depends on it: whatever goes wrong here is left to that start.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const scratch = mkdtempSync(join(tmpdir(), 'sluice-warm-up-'))
try {
  const { makeBundle } = await import('./make-bundle.js')
  // Without the dev dependencies there is no bundler, and the sources are run.
  await makeBundle().catch(() => undefined)
  const { useCompileCache } = await import('./compile-cache.js')
  useCompileCache()
  const { programUrl } = await import('./program.js')
  await import(programUrl('main'))
  await import(programUrl('start-server'))
  await import(programUrl('sandbox'))
  const { openSqliteStore } = await import(programUrl('sqlite-store'))
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
