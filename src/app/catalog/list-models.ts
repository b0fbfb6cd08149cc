import { type Model, splitModelName } from '../../domain/catalog/model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'
import { remember } from '../remember.ts'

/** Together at most 5 s: an operator's change of a row is seen by then. */
const FRESH_MS = 2_000
const TRUST_MS = 4_500
/** An old catalog is better than none while the store is away. */
const GRACE_MS = 3_600_000

/** At once while the catalog is fresh. */
export type ListModels = () => readonly Model[] | Promise<readonly Model[]>

/**
 * The models whose provider is there. While nothing changed it is the same array each time,
 * so that whoever presents it can keep what was written.
 */
export function listModels({
  models,
  clock,
  offers,
}: {
  models: ModelStore
  clock: Clock
  offers(provider: string): boolean
}): ListModels {
  let current: readonly Model[] = []
  const catalog = remember<readonly Model[]>({
    clock,
    freshMs: FRESH_MS,
    trustMs: TRUST_MS,
    graceMs: GRACE_MS,
    maxEntries: 1,
  })
  const read = async () => {
    const offered = (await models.list()).filter((model) => offers(splitModelName(model.name).provider))
    if (JSON.stringify(offered) !== JSON.stringify(current)) current = offered
    return current
  }
  return () => catalog.recall('models', read)
}
