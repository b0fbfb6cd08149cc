import { kindOf } from '../../domain/catalog/endpoints-of.ts'
import type { Model } from '../../domain/catalog/model.ts'
import type { DependencyCheck } from '../../ports/installation.ts'
import type { Config } from '../config.ts'
import { composeOperator } from '../operator.ts'
import { trialsOf } from '../served-models.ts'
import { diagnosisTools } from '../tools.ts'
import { checkProbe } from './check-probe.ts'

/** A model that reasons may take a while before its first text. */
const PATIENCE_MS = 30_000

/**
 * Runs `sluice provider test` for one provider. Nothing is stored, and no video is made. Models that the catalog offers for
 * embeddings alone are asked for an embedding.
 */
export function testProvider(
  config: Config,
  provider: Config['providers'][number],
  catalog: readonly Pick<Model, 'name' | 'likeModel' | 'endpoints'>[],
): Promise<DependencyCheck[]> {
  const tools = diagnosisTools(config)
  const embeds = new Set(catalog.filter((row) => kindOf(row) === 'embedding').map(({ name }) => name))
  return Promise.all(
    trialsOf(provider, embeds).map((probe) =>
      checkProbe(provider, probe, { config, tools, command: 'provider-test', patienceMs: PATIENCE_MS }),
    ),
  )
}

/** Reads the catalog beside a running gateway or without one. A provider can be tested before there is a store. */
export async function catalogOrNone(config: Config): Promise<readonly Model[]> {
  try {
    const { store, close } = await composeOperator(config, { checksSecret: false })
    try {
      return await store.models.list()
    } finally {
      await close()
    }
  } catch {
    return []
  }
}
