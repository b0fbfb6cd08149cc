import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runSluice } from '../lifecycle/run-sluice.ts'
import type { GreedyAct } from './greedy-tenant.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { type StopGreed, startGreedyTenant } from './start-greedy-tenant.ts'
import { textProvidersAt } from './text-world.ts'
import { type Books, openSqliteBooks } from './video-books.ts'
import { openCountingVendors } from './video-vendors.ts'

/** One gateway with two organizations: a usual one, and one that takes all it can get. */
export interface TwoTenants {
  gateway: GatewayProcess
  books: Books
  /** Key of the tenant with usual traffic. */
  key: string
  startGreed(acts: readonly GreedyAct[]): Promise<StopGreed>
}

/** `textVendorUrl`: a vendor of the test's own instead of the sandbox's. */
export async function openTwoTenants(
  env: Record<string, string> = {},
  { textVendorUrl }: { textVendorUrl?: string } = {},
): Promise<TwoTenants> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-two-tenants-'))
  const moreProviders = (url: string) => textProvidersAt(textVendorUrl ?? `${url}/text`)
  const vendors = await openCountingVendors({ folder, speed: 600, moreProviders })
  const books = await openSqliteBooks()
  const dead = createServer(() => {}).listen(0, '127.0.0.1')
  await once(dead, 'listening')
  const address = dead.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const gateway = await startGateway({
    env: {
      ...books.env,
      SLUICE_CONFIG: vendors.configFile,
      VIDEO_SWEEP_INTERVAL_MS: '500',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  onTestFinished(async () => {
    await gateway.stop()
    dead.close()
    await vendors.close()
    await books.close()
    rmSync(folder, { recursive: true })
  })
  const run = <T>(...words: string[]) => runSluice<T>(words, books.env)
  const { id: org } = await run<{ id: string }>('org', 'create', '--name', 'greedy', '--prepaid')
  const { id: user } = await run<{ id: string }>('user', 'create', '--org', org)
  await run('credit', 'add', '--org', org, '--usd', '100000')
  const greedy = await run<{ key: string }>('key', 'create', '--org', org, '--user', user)
  return {
    gateway,
    books,
    key: books.tenant.key,
    startGreed(acts) {
      const deadReceiverUrl = `https://127.0.0.1:${port}/callback`
      return startGreedyTenant({ baseUrl: gateway.baseUrl, key: greedy.key, acts, deadReceiverUrl })
    },
  }
}
