import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, vi } from 'vitest'
import type { FaultRule } from '../../../sandbox/faults/fault.ts'
import type { LoggedRequest } from '../../../sandbox/request-log.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { createMemoryCache } from '../../../src/adapters/memory/memory-cache.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { composeGateway } from '../../../src/compose/gateway.ts'
import type { Store } from '../../../src/ports/store.ts'
import { lendPostgres, lendSqlite } from '../../engines/store/lend-store.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { DOOR_ENVIRONMENT } from '../../fast-door.ts'
import { NO_PROVIDERS } from '../../system/faults/harness/no-providers.ts'
import { openTenants, type Tenant, type Tenants } from '../video/tenants.ts'

/** The gateway as it is composed for a server, on its own store, with the sandbox over real HTTP. */
export interface TextApi extends Tenants {
  url: string
  /** A tenant with plenty of credit. */
  tenant: Tenant
  vendor: TextVendor
  /** A second connection to the store of the gateway. */
  store: Store
  /** Returns the usage rows of the tenant's organization, once there are this many. */
  usageOf(tenant: Tenant, rows: number): Promise<UsageSeen[]>
  close(): Promise<void>
}

export interface TextVendor {
  /** Requests that arrived, oldest first. */
  requests(): Promise<LoggedRequest[]>
  counts(): Promise<{ open: number; finished: number; aborted: number }>
  breakDown(rule: Omit<FaultRule, 'id'>): Promise<void>
  clearFaults(): Promise<void>
  /** Stops the server of the vendor; it cannot be started again. */
  stop(): Promise<void>
}

export interface UsageSeen {
  model: string
  input_tokens: number
  output_tokens: number
  cost_micros: number
  outcome: string
  losses: readonly string[]
}

interface Options {
  /** The providers file; `SANDBOX` in it is the address of the sandbox. Left out: the sandbox's own vendors. */
  providers?: string
  environment?: Readonly<Record<string, string>>
  /** Left out: SQLite. */
  engine?: 'sqlite' | 'postgres'
  /** Names of models whose prices are taken away before the start. */
  unpriced?: readonly string[]
  /** Speed of the sandbox's vendors relative to real ones. */
  sandboxSpeed?: number
  /** Changes of catalog rows before the start, by name. */
  rows?: Readonly<Record<string, { endpoints?: ('messages' | 'responses' | 'chat')[]; fallbacks?: string[] }>>
}

export const SECRET = 'a secret of the tests, long enough to be one'

export async function startTextApi({
  providers,
  environment = {},
  engine = 'sqlite',
  unpriced = [],
  sandboxSpeed = 60,
  rows = {},
}: Options = {}): Promise<TextApi> {
  const sandbox = await startSandbox({ port: 0, speed: sandboxSpeed, nowMs: systemClock.nowMs })
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-text-'))
  const config = readConfig({
    environment: {
      ...DOOR_ENVIRONMENT,
      DATA_DIR: dataDir,
      SLUICE_CONFIG: NO_PROVIDERS,
      SLUICE_SECRET: SECRET,
      LOG_LEVEL: 'silent',
      // Client, gateway and vendor share one process here: it may be late without being overloaded.
      SHED_LAG_MS: '60000',
      ...environment,
    },
    readFile: (path) =>
      path === NO_PROVIDERS
        ? (providers ?? 'providers: {}').replaceAll('SANDBOX', sandbox.url)
        : readFileSync(path, 'utf8'),
  })
  const lent = await (engine === 'sqlite' ? lendSqlite() : lendPostgres())
  const gateway = await composeGateway({
    config,
    checkpoint: () => {},
    inCluster: false,
    sandboxUrl: sandbox.url,
    openStore: async () => lent.store,
  })
  const store = await lent.openAgain()
  const clock = systemClock
  const cache = createMemoryCache({ clock, log: SILENT_LOG, maxBytes: 1_000_000 })
  const newId = createIds(clock)
  for (const model of await store.models.list()) {
    const change = rows[model.name]
    if (change === undefined && !unpriced.includes(model.name)) continue
    const { prices, ...row } = model
    const act = { id: newId('aud'), atMs: 0, actor: 'cli', action: 'test', organizationId: null } as const
    await store.models.apply(
      [{ model: { ...row, ...change }, prices: unpriced.includes(model.name) ? [] : prices }],
      { ...act, subject: model.name, detail: {} },
    )
  }
  await gateway.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = gateway.server.server.address() as AddressInfo
  const tenants = openTenants({
    ...{ store, clock, newId, cache },
    secrets: createSecrets(SECRET),
    log: SILENT_LOG,
    checkpoint: () => {},
  })
  return {
    ...tenants,
    url: `http://127.0.0.1:${port}`,
    tenant: await tenants.openTenant(),
    vendor: { ...vendorAt(sandbox.url), stop: () => sandbox.close() },
    store,
    usageOf: (tenant, count) => usageIn(lent.where, tenant, count),
    async close() {
      gateway.server.cutConnections()
      await gateway.close()
      await sandbox.close()
      await cache.close()
      await lent.giveBack()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Rows are written a moment after the answer: waits for as many as there should be. */
function usageIn(file: string, { organizationId }: Tenant, count: number): Promise<UsageSeen[]> {
  const statement = `SELECT model, input_tokens, output_tokens, cost_micros, outcome, losses
    FROM text_usage WHERE organization_id = ? ORDER BY created_at_ms, id`
  const read = () => {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return database.prepare(statement).all(organizationId).map(seenOf)
    } finally {
      database.close()
    }
  }
  return vi.waitFor(
    () => {
      const found = read()
      expect(found).toHaveLength(count)
      return found
    },
    { timeout: 60_000, interval: 10 },
  )
}

function seenOf(row: Record<string, unknown>): UsageSeen {
  return {
    model: String(row.model),
    input_tokens: Number(row.input_tokens),
    output_tokens: Number(row.output_tokens),
    cost_micros: Number(row.cost_micros),
    outcome: String(row.outcome),
    losses: row.losses === null ? [] : JSON.parse(String(row.losses)),
  }
}

function vendorAt(url: string): Omit<TextVendor, 'stop'> {
  const control = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
    const answer = await fetch(`${url}/_sandbox/${path}`, init)
    if (!answer.ok) throw new Error(`the sandbox refused: ${await answer.text()}`)
    return Object(await answer.json())
  }
  return {
    requests: async () => (await control('GET', 'requests')).data.toReversed(),
    counts: () => control('GET', 'text'),
    breakDown: async (rule) => void (await control('POST', 'faults', rule)),
    clearFaults: async () => void (await control('DELETE', 'faults')),
  }
}
