import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'
import type { ModelStore } from '../../ports/models.ts'
import type { AuditTools } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import { applyCatalog } from './apply-catalog.ts'
import { planCatalog } from './plan-catalog.ts'
import { storedCatalog } from './stored-catalog.ts'

/** What operators do with models and prices. */
export function keepCatalog(
  parts: AuditTools & { models: ModelStore; cache: Cache; log: Log },
): Pick<Operator, 'listModels' | 'planCatalog' | 'applyCatalog'> {
  return {
    listModels: () => storedCatalog(parts),
    planCatalog: async (entries) =>
      planCatalog(entries, { stored: await storedCatalog(parts), nowMs: parts.clock.nowMs() }),
    applyCatalog: applyCatalog(parts),
  }
}
