import type { Organization } from '../../../domain/access/organization.ts'
import { formatUsdDecimal } from '../../../domain/billing/usd.ts'
import type { PricedModel } from '../../../domain/catalog/model.ts'
import { amountNameOf } from '../../../domain/catalog/price-row.ts'
import { pricedAt } from '../../../domain/catalog/priced-at.ts'
import type { Cache } from '../../../ports/cache.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { ModelStore } from '../../../ports/models.ts'
import type { OrganizationStore } from '../../../ports/tenants.ts'
import { publishQuotaChange, type QuotaSync } from './invalidations.ts'

/** Copies the quota of an organization into the cache and has every replica read its row again. */
export function syncOrganization(tools: {
  organizations: Pick<OrganizationStore, 'find'>
  cache: Cache
}): QuotaSync['organization'] {
  const { organizations, cache } = tools
  return async (id) => {
    const read = async () => {
      const organization = await organizations.find(id)
      return organization && presentQuota(organization)
    }
    await copyEntry({ cache, key: `sluice:{org:${id}}:quota`, read })
    await publishQuotaChange(cache, { kind: 'organization', id })
  }
}

function presentQuota(organization: Organization) {
  return {
    organization_id: organization.id,
    billing: organization.billing,
    balance_micros: organization.balanceMicros,
    held_micros: organization.heldMicros,
    requests_per_minute: organization.requestsPerMinute,
  }
}

/** Copies the prices of a model into the cache and has every replica read its rows again. */
export function syncModelPrice(tools: {
  models: Pick<ModelStore, 'find'>
  cache: Cache
  clock: Pick<Clock, 'nowMs'>
}): QuotaSync['modelPrice'] {
  const { models, cache, clock } = tools
  return async (modelId) => {
    const read = async () => {
      const model = await models.find(modelId)
      return model && presentPrices(pricedAt(model, clock.nowMs()))
    }
    await copyEntry({ cache, key: `sluice:{model:${modelId}}:price`, read })
    await publishQuotaChange(cache, { kind: 'model', id: modelId })
  }
}

function presentPrices({ modelId, name, prices }: PricedModel) {
  return {
    model_id: modelId,
    name,
    prices: prices.map((row) => ({
      unit: row.unit,
      resolution: row.resolution ?? '*',
      video_input: row.videoInput ?? '*',
      audio: row.audio ?? '*',
      [amountNameOf(row.unit)]: formatUsdDecimal(row.priceMicros),
    })),
  }
}

/** Entries are copies for other programs. The gateway itself never reads them, so they may expire. */
const ENTRY_LIFE_MS = 24 * 3_600_000

/** Bounds the loop for a row that changes all the time. */
const ATTEMPTS_MAX = 5

/**
 * Copies a stored row into the cache, or removes its entry, and then reads the store again. When two copies of a row run
 * at the same time, the copy with the older row may write last; it then sees the newer row and writes again.
 */
export async function copyEntry(input: {
  cache: Pick<Cache, 'set' | 'delete'>
  key: string
  read(): Promise<object | undefined>
}): Promise<void> {
  const { cache, key, read } = input
  let stored = await readText()
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (stored === undefined) await cache.delete(key)
    else await cache.set(key, stored, { ttlMs: ENTRY_LIFE_MS })
    const written = stored
    stored = await readText()
    if (stored === written) return
  }

  async function readText(): Promise<string | undefined> {
    const entry = await read()
    return entry && JSON.stringify(entry)
  }
}
