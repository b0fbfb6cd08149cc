import { composeOperator } from '../compose.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { DependencyCheck } from './dependency-check.ts'

/** What `sluice doctor` looks at, in the order in which one thing needs the other. */
export async function checkDependencies(config: Config): Promise<DependencyCheck[]> {
  const runtime: DependencyCheck = { name: 'runtime', ok: true, detail: `Node ${process.versions.node}` }
  const opened = await attempt(() => composeOperator(config))
  if ('failure' in opened) return [runtime, storeFailed(config, opened.failure)]

  const { operator, store, cache, tools, close } = opened.value
  try {
    const storeAnswer = await attempt(() => store.ping())
    if ('failure' in storeAnswer) return [runtime, storeFailed(config, storeAnswer.failure)]
    const cacheAnswer = await attempt(() => cache.ping())
    const secretAnswer = await attempt(async () => {
      const [first] = await operator.listOrganizations()
      if (first !== undefined) await operator.showWebhookSecret(first.id)
    })
    return [
      runtime,
      { name: 'store', ok: true, detail: `${describeStore(config)} reads and writes` },
      'failure' in cacheAnswer
        ? {
            name: 'cache',
            ok: false,
            detail: `Redis does not answer: ${cacheAnswer.failure}`,
            fix: 'Start Redis or mend REDIS_URL. Until then each replica serves under limits of its own.',
          }
        : {
            name: 'cache',
            ok: true,
            detail: config.engines.redisUrl === undefined ? 'in the process' : 'Redis answers',
          },
      'failure' in secretAnswer
        ? {
            name: 'secret',
            ok: false,
            detail: secretAnswer.failure,
            fix: 'Set SLUICE_SECRET to the one this store was made with, or bring back the file "secret" in DATA_DIR.',
          }
        : { name: 'secret', ok: true, detail: 'opens what the store keeps sealed' },
      ...(await checkOutside(config, tools)),
    ]
  } finally {
    await close()
  }
}

/** Loaded here because only the doctor and a configured deployment pay for the way out. */
async function checkOutside(
  config: Config,
  tools: { log: Log; metrics: Metrics },
): Promise<DependencyCheck[]> {
  const { checkNoticeAddress, checkProviders } = await import('./check-reach.ts')
  return [...(await checkProviders(config, tools)), ...(await checkNoticeAddress(config, tools))]
}

function storeFailed(config: Config, failure: string): DependencyCheck {
  const fix =
    config.engines.databaseUrl === undefined
      ? 'See that DATA_DIR is a folder this user may write to, on a disk with room.'
      : 'Start PostgreSQL or mend DATABASE_URL.'
  return { name: 'store', ok: false, detail: `${describeStore(config)}: ${failure}`, fix }
}

function describeStore({ engines }: Config): string {
  return engines.databaseUrl === undefined ? `SQLite in ${engines.dataDir}` : 'PostgreSQL'
}

/** Failures are for reading here: the cause says more than the public text. */
async function attempt<T>(work: () => Promise<T>): Promise<{ value: T } | { failure: string }> {
  try {
    return { value: await work() }
  } catch (error) {
    const told = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { failure: told instanceof Error ? told.message : String(told) }
  }
}
