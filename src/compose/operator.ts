import { setTimeout as sleep } from 'node:timers/promises'
import { requireSecret } from '../app/access/confirm-secret.ts'
import { createKey } from '../app/access/create-key.ts'
import { createOrganization } from '../app/access/create-organization.ts'
import { createUser } from '../app/access/create-user.ts'
import { disableTenant } from '../app/access/disable-tenant.ts'
import { eraseTenant } from '../app/access/erase-tenant.ts'
import { lookUpTenants } from '../app/access/look-up-tenants.ts'
import { createOperator, revokeOperator } from '../app/access/operator-accounts.ts'
import { revokeKey } from '../app/access/revoke-key.ts'
import { rotateKey } from '../app/access/rotate-key.ts'
import { rotateSecret } from '../app/access/rotate-secret.ts'
import { setUserLimit } from '../app/access/set-user-limit.ts'
import { updateOrganization } from '../app/access/update-organization.ts'
import { rotateWebhookSecret, showWebhookSecret } from '../app/access/webhook-secret.ts'
import { addCredit } from '../app/billing/add-credit.ts'
import { checkLedger } from '../app/billing/check-ledger.ts'
import { reconcileBill } from '../app/billing/reconcile-bill.ts'
import { refundTask } from '../app/billing/refund-task.ts'
import { setBudget } from '../app/billing/set-budget.ts'
import { listAttempts } from '../app/callbacks/list-attempts.ts'
import { resendCallback } from '../app/callbacks/resend-callback.ts'
import { testCallback } from '../app/callbacks/test-callback.ts'
import { keepAliases } from '../app/catalog/keep-aliases.ts'
import { keepCatalog } from '../app/catalog/keep-catalog.ts'
import { setPrices } from '../app/catalog/set-prices.ts'
import { removeDemo } from '../app/demo/remove-demo.ts'
import type { By } from '../app/draft-audit.ts'
import { operateEvents } from '../app/events/operate-events.ts'
import type { Operator } from '../app/operator.ts'
import { type KeepProvidersTools, keepProviders } from '../app/providers/keep-providers.ts'
import { listReceiptKeys, rotateReceiptKey } from '../app/receipts/signing-keys.ts'
import { listRequests } from '../app/requests/list-requests.ts'
import { showBody } from '../app/requests/show-body.ts'
import { exportFocus } from '../app/usage/export-focus.ts'
import { showOverview } from '../app/usage/show-overview.ts'
import { showUsage } from '../app/usage/show-usage.ts'
import { sumUsage } from '../app/usage/sum-usage.ts'
import { consentUrlOf } from '../app/verification/consent-link.ts'
import { listTasksForOperator } from '../app/video/list-tasks-for-operator.ts'
import { resumeTask } from '../app/video/resume-task.ts'
import { showTask, showTaskHistory } from '../app/video/show-task.ts'
import { readOneModel } from '../config/catalog/read-one-model.ts'
import { createUrlCheck } from '../domain/addresses/url-check.ts'
import { parseHttpsUrl, type UrlCheck } from '../domain/parse-https-url.ts'
import { taskJson } from '../http/operations/get-task/present-task.ts'
import { urlOf } from '../http/server/url-of.ts'
import type { Cache } from '../ports/cache.ts'
import type { SendCallback } from '../ports/callbacks.ts'
import { type Checkpoint, passCheckpoint } from '../ports/checkpoint.ts'
import type { Store } from '../ports/store.ts'
import { deletableProvidersOf } from './asset-vendor.ts'
import type { Config } from './config.ts'
import { openCache, openStore as openConfiguredStore, requireStore, storedValues } from './engines.ts'
import { closerInto, senderLater } from './outside.ts'
import { readProviderSet } from './providers/provider-set.ts'
import { viewsOf } from './providers/provider-views.ts'
import { checkMembers } from './providers/read-members.ts'
import { openTools, type Tools } from './tools.ts'

/** Composes the use cases of the command line. Rejects when the store does not exist. */
export async function composeOperator(
  config: Config,
  input: {
    checkpoint?: Checkpoint
    /** false: `doctor` reports a wrong secret itself. */
    checksSecret?: boolean
    /** Left out: opens the configured store. */
    openStore?: typeof openConfiguredStore
  } = {},
): Promise<{ operator: Operator; store: Store; cache: Cache; tools: Tools; close(): Promise<void> }> {
  const { checkpoint = passCheckpoint, checksSecret = true, openStore = openConfiguredStore } = input
  await requireStore(config)
  const tools = openTools(config, { checkpoint, inCluster: false, makesSecret: false })
  await using opened = new AsyncDisposableStack()
  const closeLater = closerInto(opened, tools.log)
  closeLater('the log', () => tools.log.flush())
  const store = await openStore(config, tools, 'beside')
  closeLater('the store', () => store.close())
  if (checksSecret) await requireSecret({ ...store, ...tools })
  const cache = await openCache(config, tools)
  closeLater('the cache', () => cache.close())

  const toClose = opened.move()
  return {
    store,
    cache,
    tools,
    operator: operatorUseCases({
      tools,
      store,
      cache,
      by: { actor: 'cli' },
      deletableProviders: deletableProvidersOf(await readProviderSet(config, { store, tools })),
      send: senderLater(config, tools),
      publicBaseUrl: () => config.http.publicBaseUrl ?? urlOf(config.http),
      isAllowedUrl: createUrlCheck(config.outbound.allowedRanges),
      hasEventReceiver: config.events.url !== undefined,
      providerTools: {
        checkMembers: checkMembers(config.outbound.allowedRanges),
        listOthers: () => viewsOf(config.providers, 'file'),
      },
    }),
    close: () => toClose.disposeAsync(),
  }
}

export function operatorUseCases(input: {
  tools: Tools
  store: Store
  cache: Cache
  by: By
  deletableProviders: readonly string[]
  send: SendCallback
  /** Returns the address of the gateway for browsers. */
  publicBaseUrl(): string
  isAllowedUrl: UrlCheck
  /** Whether `EVENTS_URL` is set. */
  hasEventReceiver: boolean
  providerTools: Pick<KeepProvidersTools, 'checkMembers' | 'listOthers'>
}): Operator {
  const { tools, store, cache, by, deletableProviders } = input
  const { send, publicBaseUrl, isAllowedUrl, hasEventReceiver: hasReceiver, providerTools } = input
  const parts = {
    ...tools,
    ...store,
    cache,
    deletableProviders,
    send,
    hasReceiver,
    presentTask: taskJson,
    // `tools.pause` would let the process of a command end during a pause.
    pause: (ms: number) => sleep(ms),
    ...by,
  }
  const tenants = lookUpTenants(parts)
  const catalog = keepCatalog({ ...parts, readOneModel })
  const disabling = disableTenant(parts)
  return {
    pages: {
      ...parts.operatorPages,
      verifications: ({ state, ...query }) =>
        parts.operatorPages.verifications({
          ...query,
          ...(state !== undefined && { state: { is: state, atMs: parts.clock.nowMs() } }),
        }),
      attempts: listAttempts(parts),
      organizations: (query) => parts.organizations.page(query),
      users: (query) => parts.users.page(query),
      keys: (query) => parts.apiKeys.page(query),
      operators: (query) => parts.operators.list(query),
      audit: (query) => parts.audit.list(query),
    },
    ...tenants,
    ...catalog,
    ...keepAliases({ ...parts, ...catalog }),
    ...keepProviders({ ...parts, ...providerTools }),
    setPrices: setPrices(catalog),
    ...disabling,
    ...setBudget(parts),
    ...eraseTenant({
      ...parts,
      stored: storedValues(parts),
      consentUrlOf: consentUrlOf({ ...tools, publicBaseUrl }),
    }),
    createOrganization: createOrganization(parts),
    updateOrganization: updateOrganization({
      ...parts,
      parseEventsUrl: (url) => parseHttpsUrl(url, 'events_url', isAllowedUrl),
    }),
    showWebhookSecret: showWebhookSecret(parts),
    rotateWebhookSecret: rotateWebhookSecret(parts),
    rotateSecret: rotateSecret(parts),
    rotateReceiptKey: rotateReceiptKey(parts),
    listReceiptKeys: listReceiptKeys(parts),
    createUser: createUser(parts),
    setUserLimit: setUserLimit(parts),
    createKey: createKey(parts),
    rotateKey: rotateKey(parts),
    revokeKey: revokeKey(parts),
    addCredit: addCredit(parts),
    showCredit: tenants.showOrganization,
    sumUsage: sumUsage(parts),
    showUsage: showUsage(parts),
    showOverview: showOverview(parts),
    listRequests: listRequests(parts),
    showBody: showBody({ ...parts, stored: storedValues(parts) }),
    exportFocus: exportFocus(parts),
    checkLedger: checkLedger(parts),
    reconcileBill: reconcileBill(parts),
    refundTask: refundTask(parts),
    listTasks: listTasksForOperator(parts),
    showTask: showTask(parts),
    showTaskHistory: showTaskHistory(parts),
    resumeTask: resumeTask(parts),
    countTasksSetAside: () => parts.tasks.countSetAside(),
    listCallbacks: (query) => parts.callbacks.listAttempts(query),
    resendCallback: resendCallback(parts),
    testCallback: testCallback(parts),
    ...operateEvents(parts),
    listDemo: parts.demo.listOrganizations,
    removeDemo: removeDemo({ ...parts, ...disabling }),
    createOperator: createOperator(parts),
    revokeOperator: revokeOperator(parts),
  }
}
