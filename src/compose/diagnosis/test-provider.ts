import type { DependencyCheck } from '../../ports/installation.ts'
import type { Config } from '../config.ts'
import { trialsOf } from '../served-models.ts'
import { diagnosisTools } from '../tools.ts'
import { checkProbe } from './check-probe.ts'

/** A model that reasons may take a while before its first text. */
const PATIENCE_MS = 30_000

/** Runs `sluice provider test` for one provider. Nothing is stored, and no video is made. */
export function testProvider(
  config: Config,
  provider: Config['providers'][number],
): Promise<DependencyCheck[]> {
  const tools = diagnosisTools(config)
  return Promise.all(
    trialsOf(provider).map((probe) =>
      checkProbe(provider, probe, { config, tools, command: 'provider-test', patienceMs: PATIENCE_MS }),
    ),
  )
}
