import { driverOf } from '../../adapters/providers/drivers.ts'
import { kindOf } from '../../domain/catalog/endpoints-of.ts'
import type { Model } from '../../domain/catalog/model.ts'
import type { DependencyCheck } from '../../ports/installation.ts'
import type { Config } from '../config.ts'
import { diagnosisTools } from '../tools.ts'
import { checkProbe } from './check-probe.ts'

/** A reasoning model may take long before its first text. */
const PATIENCE_MS = 30_000

/** Tests one provider without making a video. Embedding models are asked for an embedding. */
export function testProvider(
  config: Config,
  provider: Config['providers'][number],
  catalog: readonly Pick<Model, 'name' | 'likeModel' | 'endpoints'>[],
): Promise<DependencyCheck[]> {
  const tools = diagnosisTools(config)
  const embeds = new Set(catalog.filter((row) => kindOf(row) === 'embedding').map(({ name }) => name))
  const driver = driverOf(provider)
  return Promise.all(
    (driver.trials?.(provider, embeds) ?? driver.probes(provider)).map((probe) =>
      checkProbe(provider, probe, { config, tools, command: 'provider-test', patienceMs: PATIENCE_MS }),
    ),
  )
}
