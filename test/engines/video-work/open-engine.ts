import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { openSqliteStore } from '../../../src/adapters/sqlite/open-store.ts'
import type { Store } from '../../../src/ports/store.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { watchedPools } from '../store/watched-pools.ts'

/** A store of a test's own, which several programs can open at once. */
export interface OpenedEngine {
  store: Store
  /** Another program on the same rows. */
  openAgain(): Promise<Store>
  cleanUp(): Promise<void>
}

export const ENGINES: readonly (readonly [name: string, open: () => Promise<OpenedEngine>])[] = [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
]

export async function openSqlite(): Promise<OpenedEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-video-work-'))
  const opened = openedStores((role) => openSqliteStore({ dataDir, role, log: SILENT_LOG }))
  return {
    store: await opened.open('server'),
    openAgain: () => opened.open('beside'),
    async cleanUp() {
      await opened.closeAll()
      rmSync(dataDir, { recursive: true })
    },
  }
}

async function openPostgres(): Promise<OpenedEngine> {
  const { url, drop } = await freshDatabase()
  const opened = openedStores((role) =>
    openPostgresStore({ role, url, log: SILENT_LOG, metrics: watchedPools() }),
  )
  return {
    store: await opened.open('server'),
    openAgain: () => opened.open('server'),
    async cleanUp() {
      await opened.closeAll()
      await drop()
    },
  }
}

function openedStores(open: (role: 'server' | 'beside') => Promise<Store>) {
  const stores: Store[] = []
  return {
    async open(role: 'server' | 'beside'): Promise<Store> {
      const store = await open(role)
      stores.push(store)
      return store
    },
    closeAll: () => Promise.all(stores.map((store) => store.close())),
  }
}
