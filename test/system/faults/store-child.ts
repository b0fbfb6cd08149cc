import type { Store } from '../../../src/ports/store.ts'
import { sampleAudit, sampleOrganization } from '../../engines/store/sample-rows.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { watchedPools } from '../../engines/store/watched-pools.ts'
import { loadPart } from '../bundle/load-part.ts'

/**
 * Opens a store in its own process, which tests start several times or kill:
 * `node store-child.ts <sqlite|sqlite-beside|postgres> <folder or URL> <open|hold|write> [prefix of ids]`.
 */
const [engine = '', place = '', action = '', prefix = ''] = process.argv.slice(2)
const CONCURRENT_WRITES = 16

const store = await openStore()
say('open')
if (action === 'open') await store.close()
if (action === 'hold') setInterval(() => {}, 1_000)
if (action === 'write')
  await Promise.all(Array.from({ length: CONCURRENT_WRITES }, (_, lane) => writeForEver(lane)))

async function openStore(): Promise<Store> {
  if (engine === 'postgres') {
    const { openPostgresStore } = await loadPart('postgres-store')
    return openPostgresStore({ role: 'server', url: place, log: SILENT_LOG, metrics: watchedPools() })
  }
  const role = engine === 'sqlite' ? 'server' : 'beside'
  const { migrateSqlite } = await loadPart('sqlite-migrate')
  if (role === 'beside') await migrateSqlite({ dataDir: place })
  const { openSqliteStore } = await loadPart('sqlite-store')
  return openSqliteStore({ dataDir: place, role, log: SILENT_LOG })
}

/**
 * Prints the id of every write that was acknowledged, and of no other.
 * A server with too much to do may refuse a connection in time; that write counts as not acknowledged.
 */
async function writeForEver(lane: number): Promise<never> {
  for (let number = 0; ; number += 1) {
    const id = `${prefix}_${lane}_${number}`
    try {
      await store.organizations.create(sampleOrganization({ id }), sampleAudit())
      say(id)
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error
    }
  }
}

/** Compares the code, because the bundle has a class of its own for the error. */
function isStoreUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'store_unavailable'
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
