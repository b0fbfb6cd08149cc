import { expect } from 'vitest'
import { createKey } from '../../../src/app/access/create-key.ts'
import { createOrganization } from '../../../src/app/access/create-organization.ts'
import { createUser } from '../../../src/app/access/create-user.ts'
import { setUserLimit } from '../../../src/app/access/set-user-limit.ts'
import { addCredit } from '../../../src/app/billing/add-credit.ts'
import { setBudget } from '../../../src/app/billing/set-budget.ts'
import type { Billing } from '../../../src/domain/access/organization.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { createCalendar } from '../../../src/domain/limits/calendar-day.ts'
import type { Cache } from '../../../src/ports/cache.ts'
import type { Checkpoint } from '../../../src/ports/checkpoint.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { NewId, Secrets } from '../../../src/ports/secrets.ts'
import type { Store } from '../../../src/ports/store.ts'

export interface Tenant {
  organizationId: string
  userId: string
  keyId: string
  /** The secret itself. */
  key: string
}

export interface Tenants {
  openTenant(wishes?: {
    creditMicros?: number
    billing?: Billing
    requestsPerMinute?: number
    dailyUsd?: string
  }): Promise<Tenant>
  /** Another key of the same user. */
  openKey(tenant: Tenant, terms?: { monthlyBudgetMicros: number }): Promise<Tenant>
  moneyOf(tenant: Tenant): Promise<{ balance: number; held: number }>
  addCredit(tenant: Tenant, amountMicros: number): Promise<void>
  /** Sets the budget of the organization for the month of the clock. */
  setBudget(tenant: Tenant, monthlyBudgetMicros: number): Promise<void>
  /** Fails the test when one of the invariants is broken. */
  expectSound(): Promise<void>
}

export function openTenants({
  store,
  ...tools
}: {
  store: Store
  clock: Clock
  newId: NewId
  secrets: Secrets
  log: Log
  cache: Cache
  checkpoint: Checkpoint
}): Tenants {
  const parts = { ...tools, ...store, actor: 'cli' } as const
  const makeKey = createKey(parts)
  const credit = addCredit(parts)
  const addMicros = async (organizationId: string, amountMicros: number) => {
    await credit({ organizationId, amountMicros: micros(amountMicros), note: null })
  }
  return {
    async openTenant({ creditMicros = 100_000_000, billing = 'prepaid', requestsPerMinute, dailyUsd } = {}) {
      const name = 'test'
      const { organization } = await createOrganization(parts)({ name, billing, requestsPerMinute: null })
      const organizationId = organization.id
      if (creditMicros > 0) await addMicros(organizationId, creditMicros)
      const { id: userId } = await createUser(parts)({ organizationId, name })
      if (dailyUsd !== undefined) {
        await setUserLimit(parts)({ id: userId, maxDailyUserLimit: dailyUsd, enableLimit: true })
      }
      const rate = requestsPerMinute ?? null
      const { apiKey, key } = await makeKey({ organizationId, userId, name, requestsPerMinute: rate })
      return { organizationId, userId, keyId: apiKey.id, key }
    },
    async openKey({ organizationId, userId }, terms) {
      const monthlyBudgetMicros = terms === undefined ? null : micros(terms.monthlyBudgetMicros)
      const wish = { organizationId, userId, name: 'second', requestsPerMinute: null, monthlyBudgetMicros }
      const { apiKey, key } = await makeKey(wish)
      return { organizationId, userId, keyId: apiKey.id, key }
    },
    async moneyOf({ organizationId }) {
      const found = await store.organizations.find(organizationId)
      return { balance: Number(found?.balanceMicros), held: Number(found?.heldMicros) }
    },
    addCredit: ({ organizationId }, amountMicros) => addMicros(organizationId, amountMicros),
    async setBudget({ organizationId: id }, monthlyBudgetMicros) {
      const wish = { id, monthlyBudgetMicros: micros(monthlyBudgetMicros), warnPercent: 80 }
      await setBudget({ ...parts, calendar: createCalendar('UTC') }).setBudget(wish)
    },
    async expectSound() {
      expect(await store.ledger.check({ nowMs: tools.clock.nowMs(), limit: 5 })).toEqual([])
    },
  }
}
