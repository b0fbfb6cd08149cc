import type { Operator } from '../app/operator.ts'
import { composeOperator } from '../compose/operator.ts'
import type { Config } from '../config/config.ts'
import type { Cache } from '../ports/cache.ts'
import { checkNoticeAddress, checkProviders } from './check-reach.ts'
import type { DependencyCheck } from './dependency-check.ts'
import { describeStore } from './describe-store.ts'

/** What `sluice doctor` looks at, in the order in which one thing needs the other. */
export async function checkDependencies(config: Config): Promise<DependencyCheck[]> {
  const runtime: DependencyCheck = { name: 'runtime', ok: true, detail: `Node ${process.versions.node}` }
  const opened = await attempt(() => composeOperator(config))
  if ('failure' in opened) return [runtime, storeFailed(config, opened.failure)]

  const { operator, store, cache, tools, close } = opened.value
  try {
    const storeAnswer = await attempt(() => store.ping())
    if ('failure' in storeAnswer) return [runtime, storeFailed(config, storeAnswer.failure)]
    return [
      runtime,
      { name: 'store', ok: true, detail: `${describeStore(config)} reads and writes` },
      await checkCache(config, cache),
      ...(await checkTenants(config, operator)),
      ...(await checkProviders(config, tools)),
      ...(await checkNoticeAddress(config, tools)),
    ]
  } finally {
    await close()
  }
}

async function checkCache({ engines }: Config, cache: Cache): Promise<DependencyCheck> {
  const name = 'cache'
  const answer = await attempt(() => cache.ping())
  if ('value' in answer)
    return { name, ok: true, detail: engines.redisUrl === undefined ? 'in the process' : 'Redis answers' }
  const fix = 'Start Redis or mend REDIS_URL. Until then each replica serves under limits of its own.'
  return { name, ok: false, detail: `Redis does not answer: ${answer.failure}`, fix }
}

/** Any organization's secret will do: all are sealed with the same one. */
async function checkTenants(config: Config, operator: Operator): Promise<DependencyCheck[]> {
  const listed = await attempt(() => operator.listOrganizations())
  if ('failure' in listed) return [storeFailed(config, listed.failure)]
  const [first, { length: count }] = [listed.value[0], listed.value]
  const detail = count === 0 ? 'none yet: "sluice org create" makes one' : String(count)
  const organizations = { name: 'organizations', ok: true, detail }

  const name = 'secret'
  const sealed = await attempt(async () => first !== undefined && operator.showWebhookSecret(first.id))
  if ('value' in sealed)
    return [{ name, ok: true, detail: 'opens what the store keeps sealed' }, organizations]
  const fix =
    'Set SLUICE_SECRET to the one this store was made with, or bring back the file "secret" in DATA_DIR.'
  return [{ name, ok: false, detail: sealed.failure, fix }, organizations]
}

function storeFailed(config: Config, failure: string): DependencyCheck {
  const fix =
    config.engines.databaseUrl === undefined
      ? 'See that DATA_DIR is a folder this user may write to, on a disk with room.'
      : 'Start PostgreSQL or mend DATABASE_URL.'
  return { name: 'store', ok: false, detail: `${describeStore(config)}: ${failure}`, fix }
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
