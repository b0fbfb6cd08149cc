import { type Micros, micros } from '../../../src/domain/billing/micros.ts'
import type { CostTerms } from '../../../src/domain/video/cost-of-task.ts'
import type { NewHold } from '../../../src/ports/ledger.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { AllowanceLease, UsageRow, UsageRowGroup } from '../../../src/ports/usage.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from './sample-rows.ts'

export const TODAY = '2023-11-14'
export const HOUR_MS = 3_600_000

/** Creates an organization with this balance. */
export async function createFunded(
  store: Store,
  {
    id = 'org_1',
    billing = 'prepaid',
    balance,
  }: { id?: string; billing?: 'prepaid' | 'postpaid'; balance: number },
): Promise<void> {
  await store.organizations.create(sampleOrganization({ id, billing }), sampleAudit())
  if (balance > 0) await addCredit(store, { id, amount: balance })
}

let credits = 0

export async function addCredit(
  store: Store,
  { id = 'org_1', amount }: { id?: string; amount: number },
): Promise<void> {
  credits += 1
  const credit = { entryId: `ent_credit_${id}_${credits}`, note: null, atMs: MORNING_MS }
  await store.ledger.addCredit(
    { ...credit, organizationId: id, amountMicros: micros(amount) },
    sampleAudit({ action: 'credit.add' }),
  )
}

export function sampleHold(part: Partial<Omit<NewHold, 'amountMicros'>> & { amount?: number } = {}): NewHold {
  const { amount = 100, ...rest } = part
  return {
    id: 'hold_1',
    organizationId: 'org_1',
    userId: 'usr_1',
    day: TODAY,
    taskId: null,
    amountMicros: micros(amount),
    createdAtMs: MORNING_MS,
    expiresAtMs: MORNING_MS + HOUR_MS,
    ...rest,
  }
}

/** Cost at a price of one micro per token, the price of a sample task. */
export function sampleCost(amount: number): CostTerms {
  return { unit: 'video_token', quantity: amount, priceMicros: micros(1_000_000) }
}

export function sampleLease(amounts: number[], part: Partial<AllowanceLease> = {}): AllowanceLease {
  return {
    holdId: 'hold_a',
    organizationId: 'org_1',
    amountsMicros: allMicros(...amounts),
    nowMs: MORNING_MS,
    expiresAtMs: MORNING_MS + HOUR_MS,
    ...part,
  }
}

export function sampleUsageRow(
  part: Partial<Omit<UsageRow, 'costMicros'>> & { cost?: number } = {},
): UsageRow {
  const { cost = 10, ...rest } = part
  return {
    id: 'use_1',
    organizationId: 'org_1',
    userId: 'usr_1',
    keyId: 'key_1',
    model: 'vendorC/model-4.1',
    askedModel: 'vendorC/model-4.1',
    requestId: 'req_1',
    operation: 'messages',
    status: 200,
    code: null,
    provider: 'vendorC',
    priceModel: 'vendorC/model-4.1',
    vendorUsage: null,
    day: TODAY,
    inputTokens: 3,
    cachedInputTokens: 2,
    cacheWriteTokens: 1,
    outputTokens: 4,
    costMicros: micros(cost),
    priceLines: [
      { unit: 'input_token', quantity: 3, priceMicros: micros(0) },
      { unit: 'cached_input_token', quantity: 2, priceMicros: micros(0) },
      { unit: 'cache_write_token', quantity: 1, priceMicros: micros(0) },
      { unit: 'output_token', quantity: 4, priceMicros: micros(0) },
      { unit: 'web_search_call', quantity: 1, priceMicros: micros(cost) },
    ],
    outcome: 'completed',
    firstByteMs: 12,
    durationMs: 34,
    losses: [],
    createdAtMs: MORNING_MS,
    ...rest,
  }
}

export function sampleGroup(part: Partial<UsageRowGroup> = {}): UsageRowGroup {
  return { id: 'grp_1', rows: [sampleUsageRow()], allowances: { org_1: 'hold_a' }, atMs: MORNING_MS, ...part }
}

export function allMicros(...amounts: number[]): Micros[] {
  return amounts.map(micros)
}

export async function readMoney(store: Store, id = 'org_1'): Promise<{ balance: number; held: number }> {
  const organization = await store.organizations.find(id)
  if (organization === undefined) throw new Error(`${id} is not there`)
  return { balance: organization.balanceMicros, held: organization.heldMicros }
}
