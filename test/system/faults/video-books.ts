import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { createMemoryCache } from '../../../src/adapters/memory/memory-cache.ts'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { openSqliteStore } from '../../../src/adapters/sqlite/open-store.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'
import { passCheckpoint } from '../../../src/ports/checkpoint.ts'
import type { Store } from '../../../src/ports/store.ts'
import { setStandIns } from '../../api/video/set-stand-ins.ts'
import { openTenants, type Tenant } from '../../api/video/tenants.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { watchedPools } from '../../engines/store/watched-pools.ts'
import { CANARY } from '../../random/canary.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'

/** The store of one scenario: the settings that a gateway needs to open it, and direct access to its rows. */
export interface Books {
  env: Record<string, string>
  tenant: Tenant
  /** All tenants, each of its own organization; the first one is `tenant`. */
  tenants: readonly Tenant[]
  /** Rows of a query that both engines understand. */
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** Ends every lease: tasks, callbacks and copies that a dead process had claimed are due again. */
  endLeases(): Promise<void>
  close(): Promise<void>
}

export type OpenBooks = (wanted?: BooksWanted) => Promise<Books>

interface BooksWanted {
  tenants?: number
  /** By model; left out: a model has none. */
  standIns?: Readonly<Record<string, readonly string[]>>
}

const SLUICE_SECRET = `a secret of more than thirty-two characters, ${CANARY}`
/** Enough for 500 concurrent streams, each of which sets aside all that it can cost. */
export const CREDIT_MICROS = 100_000_000_000

/** A claim writes the end of its lease into the time at which the row is due. */
const END_LEASES = `
  update video_tasks set next_poll_at_ms = 0 where next_poll_at_ms is not null;
  update video_callbacks set next_attempt_at_ms = 0 where state = 'pending';
  update clips set next_attempt_at_ms = 0 where state = 'copying'`

export async function openSqliteBooks(wanted: BooksWanted = {}): Promise<Books> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-video-fault-'))
  const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  return {
    env: { DATA_DIR: dataDir, SLUICE_SECRET },
    ...(await makeTenants(store, wanted)),
    async rows(sql) {
      using database = new DatabaseSync(join(dataDir, 'sluice.db'), { readOnly: true, timeout: 5_000 })
      return database.prepare(sql).all()
    },
    async endLeases() {
      using database = new DatabaseSync(join(dataDir, 'sluice.db'), { timeout: 5_000 })
      database.exec(END_LEASES)
    },
    close: async () => rmSync(dataDir, { recursive: true }),
  }
}

export async function openPostgresBooks(wanted: BooksWanted = {}): Promise<Books> {
  const { url, drop } = await databaseWithTables()
  return { ...(await postgresBooks(url, wanted)), close: drop }
}

/** Opens books on a PostgreSQL server of the caller. */
export async function postgresBooks(url: string, wanted: BooksWanted = {}): Promise<Books> {
  const store = await openPostgresStore({ role: 'server', url, log: SILENT_LOG, metrics: watchedPools() })
  const query = async (sql: string) => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    await client.connect()
    try {
      return await client.query(sql)
    } finally {
      await client.end()
    }
  }
  return {
    env: { DATABASE_URL: url, SLUICE_SECRET },
    ...(await makeTenants(store, wanted)),
    rows: async (sql) => (await query(sql)).rows,
    endLeases: async () => void (await query(END_LEASES)),
    close: async () => {},
  }
}

async function makeTenants(
  store: Store,
  { tenants: count = 1, standIns }: BooksWanted,
): Promise<Pick<Books, 'tenant' | 'tenants'>> {
  try {
    if (standIns !== undefined) {
      await store.models.fillWhenEmpty(builtInModels(systemClock.nowMs()))
      await setStandIns({ store, forgetPrices() {} }, standIns)
    }
    const { openTenant } = openTenants({
      store,
      clock: systemClock,
      newId: createIds(systemClock),
      secrets: createSecrets(SLUICE_SECRET),
      log: SILENT_LOG,
      cache: createMemoryCache({ clock: systemClock, log: SILENT_LOG, maxBytes: 1_000_000 }),
      checkpoint: passCheckpoint,
    })
    const tenant = await openTenant({ creditMicros: CREDIT_MICROS })
    const tenants = [tenant]
    while (tenants.length < count) tenants.push(await openTenant({ creditMicros: CREDIT_MICROS }))
    return { tenant, tenants }
  } finally {
    await store.close()
  }
}
