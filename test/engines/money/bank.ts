import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { createMemoryCache } from '../../../src/adapters/memory/memory-cache.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { expireHolds } from '../../../src/app/billing/expire-holds.ts'
import type { Billing } from '../../../src/domain/access/organization.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { Cache } from '../../../src/ports/cache.ts'
import type { Store } from '../../../src/ports/store.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'
import { lendSqlite } from '../store/lend-store.ts'
import { sampleApiKey, sampleAudit, sampleOrganization, sampleUser } from '../store/sample-rows.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

/** A real store, messages between replicas, and one clock for all of them. */
export interface Bank {
  store: Store
  cache: Cache
  clock: TestClock
  openOrganization(balanceMicros: number, billing?: Billing): Promise<string>
  /** Returns the id of a new key with a budget of its own. */
  openKey(organizationId: string, budgetMicros: number): Promise<string>
  addCredit(organizationId: string, amountMicros: number): Promise<void>
  /** Balance and held money in the store. */
  balanceOf(organizationId: string): Promise<{ balance: number; held: number }>
  usageOf(organizationId: string): { rows: number; costs: number; losses: number }
  /** Fails the test when one of the invariants is broken. */
  expectSound(): Promise<void>
  /** Runs the hold reaper once. */
  expire(): Promise<void>
  close(): Promise<void>
}

export async function openBank(): Promise<Bank> {
  const clock = createTestClock()
  const newId = createIds(clock)
  const { store, where, giveBack } = await lendSqlite()
  const cache = createMemoryCache({ clock, log: SILENT_LOG, maxBytes: 1_000_000 })
  const operator = new DatabaseSync(where, { readOnly: true, timeout: 5_000 })

  const auditOf = (subject: string) => ({
    id: newId('aud'),
    atMs: clock.nowMs(),
    actor: 'cli' as const,
    action: 'test',
    organizationId: subject,
    subject,
    detail: {},
  })
  const addCredit = async (organizationId: string, amountMicros: number) => {
    const credit = {
      entryId: newId('ent'),
      organizationId,
      amountMicros: micros(amountMicros),
      note: null,
      atMs: clock.nowMs(),
    }
    await store.ledger.addCredit(credit, auditOf(organizationId))
  }
  return {
    store,
    cache,
    clock,
    addCredit,
    expire: expireHolds({
      ledger: store.ledger,
      clock,
      log: SILENT_LOG,
      metrics: SILENT_METRICS,
      onDayMove: () => {},
      onAllowanceExpired: () => {},
    }),
    async openOrganization(balanceMicros, billing = 'prepaid') {
      const id = newId('org')
      await store.organizations.create(sampleOrganization({ id, billing }), auditOf(id))
      if (balanceMicros > 0) await addCredit(id, balanceMicros)
      return id
    },
    async openKey(organizationId, budgetMicros) {
      const id = newId('key')
      const userId = newId('usr')
      await store.users.create(sampleUser({ id: userId, organizationId }), sampleAudit())
      const terms = { digest: id, monthlyBudgetMicros: micros(budgetMicros) }
      await store.apiKeys.create(sampleApiKey({ id, organizationId, userId, ...terms }), sampleAudit())
      return id
    },
    async balanceOf(id) {
      const organization = await store.organizations.find(id)
      if (organization === undefined) throw new Error(`${id} is not there`)
      return { balance: organization.balanceMicros, held: organization.heldMicros }
    },
    usageOf(id) {
      const rows = operator
        .prepare(
          `select count(*) as rows, coalesce(sum(cost_micros), 0) as costs,
            (select coalesce(sum(loss_micros), 0) from ledger_entries where organization_id = ?1) as losses
          from text_usage where organization_id = ?1`,
        )
        .get(id)
      return { rows: Number(rows?.rows), costs: Number(rows?.costs), losses: Number(rows?.losses) }
    },
    async expectSound() {
      expect(await store.ledger.check({ nowMs: clock.nowMs(), limit: 5 })).toEqual([])
    },
    async close() {
      operator.close()
      await cache.close()
      await giveBack()
    },
  }
}
