import type { Provider } from '../../adapters/providers/drivers.ts'
import type { ProviderView } from '../../app/providers/provider-view.ts'
import type { Model } from '../../domain/catalog/model.ts'
import { MissingStore } from '../../domain/missing-store.ts'
import type { Config } from '../config.ts'
import { composeOperator } from '../operator.ts'
import { readProviderSet } from './provider-set.ts'
import { viewsOf } from './provider-views.ts'

/** Lists the providers of `sluice.yaml` and of the store, if the store exists. */
export function listProviders(config: Config): Promise<ProviderView[]> {
  return inStore(config, ({ operator }) => operator.listProviders(), viewsOf(config.providers, 'file'))
}

/** Finds a provider of `sluice.yaml` or of the store, in any state. */
export async function findProvider(config: Config, name: string): Promise<Provider | undefined> {
  const fromFile = config.providers.find((provider) => provider.name === name)
  if (fromFile !== undefined) return fromFile
  return inStore(
    config,
    async (opened) => {
      const { runsSandbox, byName } = await readProviderSet(config, opened)
      return runsSandbox ? undefined : byName.get(name)
    },
    undefined,
  )
}

/** Reads the catalog; empty if it cannot be read, because a provider can be tested before the store exists. */
export function catalogOrNone(config: Config): Promise<readonly Model[]> {
  const opening = { checksSecret: false }
  return inStore<readonly Model[]>(config, ({ store }) => store.models.list(), [], opening).catch(() => [])
}

async function inStore<T>(
  config: Config,
  work: (opened: Awaited<ReturnType<typeof composeOperator>>) => Promise<T>,
  without: T,
  opening: Parameters<typeof composeOperator>[1] = {},
): Promise<T> {
  try {
    const opened = await composeOperator(config, opening)
    return await work(opened).finally(() => opened.close())
  } catch (error) {
    if (error instanceof MissingStore) return without
    throw error
  }
}
