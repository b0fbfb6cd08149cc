import { setImmediate as turn } from 'node:timers/promises'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { type Allowances, createAllowances } from '../../../src/app/billing/allowances.ts'
import { closeBilling } from '../../../src/app/billing/close-billing.ts'
import { subscribeToWantedAllowances } from '../../../src/app/billing/refill.ts'
import { createGroupEnd } from '../../../src/app/billing/settle-group.ts'
import { beginSpend, type RequestUsage, type Spend } from '../../../src/app/billing/spend.ts'
import type { SpendingDays } from '../../../src/app/billing/spending-days.ts'
import { createUsageBuffer } from '../../../src/app/billing/usage-buffer.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { type Micros, micros } from '../../../src/domain/billing/micros.ts'
import type { Cache } from '../../../src/ports/cache.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Metrics } from '../../../src/ports/metrics.ts'
import type { UsageStore } from '../../../src/ports/usage.ts'
import { silentMetrics } from '../../silent-metrics.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import type { Bank } from './bank.ts'

export const DAY = '2023-11-14'
const MONTH_END_MS = Date.UTC(2023, 11, 1)

const NO_LIMITS: SpendingDays = {
  reserve: () => undefined,
  apply: async () => {},
  letGo: async () => {},
  recount: async () => {},
}

export type Replica = ReturnType<typeof createReplica>

/** One process's share of the money path. A pause is one turn of the event loop, so messages arrive first. */
export function createReplica({
  usage,
  cache,
  clock,
  days = NO_LIMITS,
  metrics = {},
}: {
  usage: UsageStore
  cache: Cache
  clock: Clock
  days?: SpendingDays
  metrics?: Partial<Metrics>
}) {
  const tools = {
    usage,
    cache,
    clock,
    newId: createIds(clock),
    log: SILENT_LOG,
    metrics: silentMetrics(metrics),
  }
  const pause = async () => {
    await turn()
  }
  const end = createGroupEnd({ days, ...tools, onCharge: (charge) => allowances.charged(charge) })
  const buffer = createUsageBuffer({ ...tools, end })
  const allowances: Allowances = createAllowances({
    ...{ ...tools, pause, usageIsFull: buffer.isFull },
    calendar: { dayAt: () => DAY, endOfMonth: () => MONTH_END_MS },
  })
  const begin = beginSpend({ ...tools, allowances, days, buffer, dayAt: () => DAY })
  return {
    allowances,
    buffer,
    end,
    receiveOthers: () => subscribeToWantedAllowances({ cache, log: SILENT_LOG, wanted: allowances.wanted }),
    /** `keyId`: a key with a budget of its own. */
    async begin(organizationId: string, reserve: number, possible = reserve, keyId?: string): Promise<Spend> {
      const amounts = { reserveMicros: micros(reserve), possibleMicros: micros(possible) }
      return begin(callerOf(organizationId, keyId), amounts)
    },
    async writeAll(): Promise<boolean> {
      while (buffer.waiting() > 0) if (!(await buffer.writeGroup())) return false
      return true
    },
    close: () =>
      closeBilling({
        allowances,
        buffer,
        end,
        stopLoops: async () => {},
        log: SILENT_LOG,
        pause: pauseFor,
        patienceMs: PATIENCE_MS,
      }),
  }

  /** Never ends the pause that limits a close, so a close waits for everything. */
  function pauseFor(ms: number): Promise<void> {
    return ms === PATIENCE_MS ? new Promise(() => {}) : pause()
  }
}

/** A replica that gets messages of the others. */
export async function openReplica(bank: Bank, usage: UsageStore = bank.store.usage): Promise<Replica> {
  const replica = createReplica({ ...bank, usage })
  await replica.receiveOthers()
  return replica
}

/** Charges a request immediately after its admission. Returns 'spent' or the code of the error. */
export async function spendOnce(
  replica: Replica,
  organizationId: string,
  amount: number,
  keyId?: string,
): Promise<string> {
  try {
    const spend = await replica.begin(organizationId, amount, amount, keyId)
    spend.finish(usageOf(amount))
    return 'spent'
  } catch (apiError) {
    if (apiError instanceof ApiError) return apiError.code
    throw apiError
  }
}

const PATIENCE_MS = 5_000

function callerOf(organizationId: string, keyId?: string) {
  return {
    keyId: keyId ?? 'key_1',
    organizationId,
    userId: `usr_of_${organizationId}`,
    keyRequestsPerMinute: null,
    organizationRequestsPerMinute: null,
    keepReplies: null,
    allowedModels: null,
    hasBudget: keyId !== undefined,
  }
}

export function usageOf(costMicros: number | Micros): RequestUsage {
  return {
    model: 'vendorC/model-4.1',
    askedModel: 'vendorC/model-4.1',
    requestId: 'req_1',
    operation: 'messages',
    status: 200,
    code: null,
    provider: 'vendorC',
    priceModel: 'vendorC/model-4.1',
    vendorUsage: null,
    inputTokens: 10,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 20,
    costMicros: micros(costMicros),
    priceLines: [
      { unit: 'input_token', quantity: 10, priceMicros: micros(0) },
      { unit: 'output_token', quantity: 20, priceMicros: micros(0) },
      { unit: 'web_search_call', quantity: 1, priceMicros: micros(costMicros) },
    ],
    outcome: 'completed',
    firstByteMs: 100,
    durationMs: 900,
    losses: [],
  }
}
