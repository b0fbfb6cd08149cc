import { requireSecret } from '../../app/access/confirm-secret.ts'
import { describeSecretChange } from '../../app/access/secret-needs.ts'
import type { Operator } from '../../app/operator.ts'
import { decideSandbox } from '../../config/decide-sandbox.ts'
import { endingModels, oldPrices } from '../../domain/catalog/dated-models.ts'
import { MissingStore } from '../../domain/missing-store.ts'
import type { Cache } from '../../ports/cache.ts'
import type { DependencyCheck } from '../../ports/installation.ts'
import type { Store } from '../../ports/store.ts'
import type { Config } from '../config.ts'
import { composeOperator } from '../operator.ts'
import { readProviderSet } from '../providers/provider-set.ts'
import { idleStandIns, modelsWithoutProvider, unservedModels } from '../served-models.ts'
import { diagnosisTools } from '../tools.ts'
import { checkNoticeAddress, checkProviders } from './check-reach.ts'
import { failed, passed, warned } from './check-results.ts'
import { describeStore } from './describe-store.ts'

/** Runs the checks of `sluice doctor`. Later checks use the providers that `checkStore` found. Nothing is written. */
export async function checkDependencies(config: Config): Promise<DependencyCheck[]> {
  const tools = diagnosisTools(config)
  const { checks, providers } = await checkStore(config)
  const withStored = { ...config, providers }
  return [
    passed('runtime', `Node ${process.versions.node}`),
    ...checks,
    ...checkSandbox(withStored),
    ...(await checkProviders(withStored, tools)),
    ...(await checkNoticeAddress(config, tools)),
  ]
}

/** Checks the store. Its result includes the providers of the store, if the store can be read. */
async function checkStore(
  config: Config,
): Promise<{ checks: DependencyCheck[]; providers: Config['providers'] }> {
  const unread = (failure: Failure) => ({
    checks: [storeFailed(config, failure)],
    providers: config.providers,
  })
  const opened = await attempt(() => composeOperator(config, { checksSecret: false }))
  if ('failure' in opened) return unread(opened)
  const { operator, store, cache, tools, close } = opened.value
  try {
    const storeAnswer = await attempt(() => store.ping())
    if ('failure' in storeAnswer) return unread(storeAnswer)
    const { serving, runsSandbox } = await readProviderSet(config, { store, tools })
    const providers = runsSandbox ? [] : serving
    const checks = [
      passed('store', `${describeStore(config)} reads and writes`),
      await checkCache(config, cache),
      await checkSecret({ ...store, ...tools }, operator),
      await checkTenants(config, operator),
      ...(await checkTasks(config, operator)),
      ...(await checkCatalog(providers, store, tools.clock.nowMs())),
    ]
    return { checks, providers }
  } finally {
    await close()
  }
}

async function checkCache({ engines }: Config, cache: Cache): Promise<DependencyCheck> {
  const answer = await attempt(() => cache.ping())
  if ('value' in answer)
    return passed('cache', engines.redisUrl === undefined ? 'in the process' : 'Redis answers')
  const fix = 'Start Redis or correct REDIS_URL. Until then each replica serves under limits of its own.'
  return failed('cache', `Redis does not answer: ${answer.failure}`, fix)
}

/** Checks SLUICE_SECRET. An older store has no row for it, so an organization's secret is opened too. */
async function checkSecret(
  tools: Parameters<typeof requireSecret>[0],
  operator: Operator,
): Promise<DependencyCheck> {
  const opened = await attempt(async () => {
    await requireSecret(tools)
    const [first] = await operator.listOrganizations()
    if (first !== undefined) await operator.showWebhookSecret(first.id)
    return describeSecretChange(tools)
  })
  if ('value' in opened)
    return { ...passed('secret', 'opens what the store keeps encrypted'), ...opened.value }
  const fix =
    'Set SLUICE_SECRET to the one this store was made with, or bring back the file "secret" in DATA_DIR.'
  return failed('secret', opened.failure, fix)
}

async function checkTenants(config: Config, operator: Operator): Promise<DependencyCheck> {
  const listed = await attempt(() => operator.listOrganizations())
  if ('failure' in listed) return storeFailed(config, listed)
  const detail =
    listed.value.length === 0
      ? 'none yet: the page Customers of the console makes one, and so does "sluice org create"'
      : String(listed.value.length)
  return passed('organizations', detail)
}

/** Returns no check while all tasks can be read. */
async function checkTasks(config: Config, operator: Operator): Promise<DependencyCheck[]> {
  const counted = await attempt(() => operator.countTasksSetAside())
  if ('failure' in counted) return [storeFailed(config, counted)]
  if (counted.value === 0) return []
  const detail = `${counted.value} set aside, because their rows cannot be read`
  const fix =
    'The log names them. "sluice task resume ID" makes one due again once its row is repaired, and so does Resume on its page of the console.'
  return [failed('video tasks', detail, fix)]
}

/** Checks models, stand-ins, age of prices and ends of models. The models of the sandbox need no check. */
async function checkCatalog(
  providers: Config['providers'],
  store: Store,
  nowMs: number,
): Promise<DependencyCheck[]> {
  if (providers.length === 0) return []
  const catalog = await store.models.list()
  return [
    ...unservedModels(providers, catalog).map(({ model, why }) =>
      failed(`model ${model}`, `not served: ${why}`, PUBLISH),
    ),
    ...modelsWithoutProvider(providers, catalog).map(({ model, why }) =>
      warned(
        `model ${model}`,
        `it stands in the catalog, but ${why}: clients get 503. Add it to its provider in the console, or to sluice.yaml and restart the server ("sluice init" has presets).`,
      ),
    ),
    ...idleStandIns(providers, catalog).map(({ model, standIn, why }) =>
      warned(
        `model ${model}`,
        `its stand-in ${standIn} is passed over: ${why}. Correct that, or take it out of stand_ins.`,
      ),
    ),
    ...oldPrices(catalog, nowMs).map(({ provider, why }) =>
      warned(`prices of ${provider}`, why, COMPARE_PRICES),
    ),
    ...endingModels(catalog, nowMs).map(({ model, why }) => warned(`model ${model}`, why, OFFER_SUCCESSOR)),
  ]
}

const PUBLISH =
  'Publish it with its prices: "Add models" on the page System of the console, or "sluice apply catalog.yaml" (catalog.example.yaml shows how). Or take it from its provider.'
const COMPARE_PRICES =
  'Compare them with the vendor\'s page, set prices_taken in the catalog file and run "sluice apply".'
const OFFER_SUCCESSOR =
  'Offer its successor, then remove it on the page Models of the console or with "sluice model remove".'

function checkSandbox(config: Config): DependencyCheck[] {
  const decision = decideSandbox(config)
  switch (decision.kind) {
    case 'not-needed':
      return []
    case 'run':
      return [
        warned('providers', 'none: sandbox vendors answer with made-up replies, and their work is charged'),
      ]
    case 'refused':
      return [failed('providers', decision.fault.wrong, decision.fault.fix)]
  }
}

function storeFailed(config: Config, { failure, error }: Failure): DependencyCheck {
  if (error instanceof MissingStore) return warned('store', failure)
  const fix =
    config.engines.databaseUrl === undefined
      ? 'See that DATA_DIR is a folder this user may write to, on a disk with room.'
      : 'Start PostgreSQL or correct DATABASE_URL.'
  return failed('store', `${describeStore(config)}: ${failure}`, fix)
}

interface Failure {
  failure: string
  error: unknown
}

/** Runs `work`. A failure has the message of its cause, which says more than the public message. */
async function attempt<T>(work: () => Promise<T>): Promise<{ value: T } | Failure> {
  try {
    return { value: await work() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { failure: cause instanceof Error ? cause.message : String(cause), error }
  }
}
