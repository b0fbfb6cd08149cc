import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'
import type { ModelStore } from '../../ports/models.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import { syncModelPrice } from '../quota/sync-model-price.ts'
import { type PlannedModel, planCatalog, tellDifference } from './plan-catalog.ts'
import { storedCatalog } from './stored-catalog.ts'

/** A catalog that changes nothing writes nothing, and leaves no audit row. */
export function applyCatalog({
  models,
  cache,
  log,
  ...tools
}: AuditTools & { models: ModelStore; cache: Cache; log: Log }): Operator['applyCatalog'] {
  const sync = syncModelPrice({ models, cache })
  return async (entries) => {
    const stored = await storedCatalog({ models, clock: tools.clock })
    const plan = planCatalog(entries, { stored, nowMs: tools.clock.nowMs() })
    const changed = plan.filter(({ change }) => change !== 'unchanged')
    if (changed.length === 0) return plan
    const withPrices = new Set(entries.filter(({ prices }) => prices !== undefined).map(({ name }) => name))
    await models.apply(
      changed.map(({ model: { prices, ...model } }) => ({
        model,
        prices: withPrices.has(model.name) ? prices : undefined,
      })),
      draftAudit(describeAct(changed), tools),
    )
    await announce(changed)
    return plan
  }

  /** The change is stored: news that does not go out is late, and no reason to say that it failed. */
  async function announce(changed: readonly PlannedModel[]): Promise<void> {
    try {
      await Promise.all(changed.map(({ model }) => sync(model.modelId)))
    } catch (error) {
      log.warn(
        'the news of changed prices did not go out; running servers see them within 5 s all the same',
        {
          error,
        },
      )
    }
  }
}

function describeAct(changed: readonly PlannedModel[]) {
  const detail = changed.map(({ model, change, differences }) => {
    return [model.name, [change, ...differences.map(tellDifference)].join('; ')] as const
  })
  return {
    action: 'catalog.apply',
    organizationId: null,
    subject: 'catalog',
    detail: Object.fromEntries(detail),
  }
}
