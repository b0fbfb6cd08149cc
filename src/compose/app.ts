import { hostname } from 'node:os'
import { authenticate, forgetRevokedKeys } from '../app/access/authenticate.ts'
import { proveGateway } from '../app/access/gateway-proof.ts'
import { lookUpTenants } from '../app/access/look-up-tenants.ts'
import { findOperator } from '../app/access/operator-accounts.ts'
import { type OperatorSessions, operatorSessions } from '../app/access/operator-sessions.ts'
import { type SignInByOpenId, signInByOpenId } from '../app/access/sign-in-by-openid.ts'
import type { App } from '../app/app.ts'
import { checkLedger, type LedgerReport } from '../app/billing/check-ledger.ts'
import { ownCallbacks } from '../app/callbacks/own-callbacks.ts'
import { listAllowedModels } from '../app/catalog/list-allowed-models.ts'
import type { PriceBook } from '../app/catalog/price-book.ts'
import { checkReadiness } from '../app/check-readiness.ts'
import { oncePerKey } from '../app/idempotency/once-per-key.ts'
import { SingleFlight } from '../app/jobs/single-flight.ts'
import { auditedSync } from '../app/limits/sync/audited-sync.ts'
import { syncModelPrice, syncOrganization } from '../app/limits/sync/copy-entry.ts'
import { subscribeToInvalidations } from '../app/limits/sync/invalidations.ts'
import { createLiveRequests, type LiveRequests } from '../app/live-requests.ts'
import { placeUpload } from '../app/media/place-upload.ts'
import { findProvenance, getProvenance } from '../app/media/provenance.ts'
import type { GatewayOperator } from '../app/operator.ts'
import { appendReceipt } from '../app/receipts/append-receipt.ts'
import { getTaskReceipt, getTextReceipt } from '../app/receipts/get-receipts.ts'
import { listReceiptKeys } from '../app/receipts/signing-keys.ts'
import { sumUsage } from '../app/usage/sum-usage.ts'
import { findContent } from '../app/video/find-content.ts'
import { listTasks } from '../app/video/list-tasks.ts'
import { readNoticeToken } from '../app/video/notice-token.ts'
import { taskDetails } from '../app/video/task-details.ts'
import { createUrlCheck, vendorReach } from '../domain/addresses/url-check.ts'
import { createAdminKeyCheck } from '../http/admin/admin-key-check.ts'
import type { Cache } from '../ports/cache.ts'
import type { Installation } from '../ports/installation.ts'
import type { OpenMedia } from '../ports/media.ts'
import type { Store } from '../ports/store.ts'
import { deletableProvidersOf } from './asset-vendor.ts'
import type { AssetParts } from './assets.ts'
import type { BillingParts } from './billing.ts'
import type { Config } from './config.ts'
import type { Limits } from './limits.ts'
import type { Kept } from './media.ts'
import { operatorUseCases } from './operator.ts'
import { senderLater } from './outside.ts'
import type { LiveProviders } from './providers/live-providers.ts'
import { viewsOf } from './providers/provider-views.ts'
import { checkMembers } from './providers/read-members.ts'
import type { TextParts } from './text.ts'
import type { Tools } from './tools.ts'
import type { VideoParts } from './video.ts'

/** Time limit of a ledger check by the admin API; proxies time out after about a minute. */
const CHECK_MS_MAX = 30_000

/** Composes every use case of the HTTP edge, and subscribes to messages about changed rows. */
export async function composeApp(input: {
  config: Config
  tools: Tools
  store: Store
  cache: Cache
  /** Left out: a registry of its own, to which the server reports no request. */
  live?: LiveRequests
  limits: Limits
  billing: BillingParts
  prices: PriceBook
  video: VideoParts
  assets: AssetParts
  text: TextParts
  installation: Installation
  providers: Pick<LiveProviders, 'current'>
  openMedia: OpenMedia
  /** Left out: the gateway keeps no copies of videos. */
  kept?: Kept | undefined
  demo?: GatewayOperator['demo'] | undefined
  /** Warnings for `/readyz`. */
  warnings(): readonly string[]
  /** Returns the address of the gateway for browsers, which is known once the server listens. */
  publicBaseUrl(): string
}): Promise<App> {
  const { config, tools, store, cache, live = createLiveRequests(tools), limits, billing, prices } = input
  const { video, assets, text, installation, providers, openMedia, kept, warnings, publicBaseUrl } = input
  const access = authenticate({ ...store, ...tools })
  await forgetRevokedKeys({ cache, forgetKey: access.forgetKey, log: tools.log })
  await subscribeToInvalidations({
    cache,
    log: tools.log,
    forget(change) {
      if (change.kind === 'model') prices.forget()
      else if (change.kind === 'user') {
        access.forgetUser(change.id)
        limits.ofUsers.forget(change.id)
      } else {
        access.forgetOrganization(change.id)
        billing.allowances.forget(change.id)
      }
      if (change.kind !== 'model') void endDisabled()
    },
  })
  /** Ends replies of disabled organizations and users. Logs a failure; the worker `disabled-watch` tries again. */
  function endDisabled(): Promise<void> {
    return text.endDisabledReplies().catch((error: unknown) => {
      tools.log.warn('stream.disabled_check_failed', { error })
    })
  }
  const tokens = findOperator({ ...store, ...tools })
  const sessions = openSessions()
  const openId = sessions === undefined ? undefined : await openOpenId(sessions)
  function openSessions(): OperatorSessions | undefined {
    const { adminApiKey } = config.secrets
    if (adminApiKey === undefined) return undefined
    const isAdminKey = createAdminKeyCheck(adminApiKey.reveal())
    const reliesOn = `session of ${adminApiKey.reveal()}`
    const { issuer, clientId } = config.openId
    const openIdReliesOn = issuer === undefined ? undefined : `session of ${issuer} ${clientId}`
    const checks = { findOperator: tokens, isAdminKey, reliesOn, openIdReliesOn }
    return operatorSessions({ ...store, ...tools, ...checks })
  }
  /** Loads the library only where an OpenID provider is configured. */
  async function openOpenId(opened: OperatorSessions): Promise<SignInByOpenId | undefined> {
    const { issuer, clientId, clientSecret, scope, roleClaim, roleValues } = config.openId
    if (issuer === undefined || clientId === undefined) return undefined
    const { openIdProvider } = await import('../adapters/openid/openid-provider.ts')
    return signInByOpenId({
      provider: openIdProvider({ issuer, clientId, clientSecret: clientSecret?.reveal(), scope, roleClaim }),
      returnUrl: () => `${publicBaseUrl()}/console/oidc/callback`,
      roleValues,
      sessions: opened,
      ...tools,
    })
  }
  const send = senderLater(config, tools)
  const checks = new SingleFlight<LedgerReport>()
  const check = checkLedger({ ...store, ...tools, timeoutMs: CHECK_MS_MAX })
  /** The check reads the whole ledger, so concurrent callers share its result. */
  const checkOnce = () => checks.run('ledger', check)
  const append = appendReceipt({ ...store, ...tools })
  const isAllowedUrl = createUrlCheck(config.outbound.allowedRanges)
  const providerTools = {
    checkMembers: checkMembers(config.outbound.allowedRanges),
    listOthers: ({ isEmpty }: { isEmpty: boolean }) => {
      const { serving, runsSandbox } = providers.current
      if (config.providers.length > 0) return viewsOf(config.providers, 'file')
      return isEmpty && runsSandbox ? viewsOf(serving, 'sandbox') : []
    },
  }
  const ofTask = getTaskReceipt({ ...store, append })
  return {
    ...video.useCases,
    ...assets.useCases,
    ...text.useCases,
    authenticate: access.authenticate,
    checkRate: limits.checkRate,
    findOperator: tokens,
    sessions,
    openId,
    installation,
    findContent: findContent({
      ...{ ...store, ...tools, media: kept?.media },
      getTask: video.useCases.getTask,
      getAsset: assets.useCases.getAsset,
      openMedia,
    }),
    placeUpload:
      kept &&
      placeUpload({
        ...{ ...tools, ...store, ...kept, publicBaseUrl, bounds: config.media },
        isReachable: vendorReach(config.outbound.allowedRanges),
      }),
    listenToRequests: live.listen,
    oncePerKey: oncePerKey({ ...store, ...tools }),
    operatorFor: (by) => ({
      ...operatorUseCases({
        tools,
        store,
        cache,
        by,
        send,
        deletableProviders: deletableProvidersOf(providers.current),
        publicBaseUrl,
        isAllowedUrl,
        hasEventReceiver: config.events.url !== undefined,
        providerTools,
      }),
      checkLedger: checkOnce,
      demo: input.demo,
      cancelTask: video.cancelTaskFor(by),
    }),
    proveGateway: proveGateway({ ...tools, machine: hostname() }),
    checkReadiness: checkReadiness({ store, cache, ...tools, warnings }),
    listModels: listAllowedModels(prices),
    findVideoModel: prices.findVideoModel,
    getTaskReceipt: ofTask,
    getTextReceipt: getTextReceipt({ ...store, append, ofTask }),
    getProvenance: getProvenance({ ...store, append }),
    findProvenance: config.media.isVerifiable ? findProvenance({ ...store, ...tools }) : undefined,
    listReceiptKeys: listReceiptKeys({ ...store, ...tools }),
    sumUsage: sumUsage({ ...store, ...tools }),
    showBalance: lookUpTenants(store).showOrganization,
    listTasks: listTasks({ tasks: store.tasks, secrets: tools.secrets }),
    ...ownCallbacks({ ...store, ...tools }),
    ...taskDetails({ tasks: store.tasks, secrets: tools.secrets, links: kept?.links }),
    isNoticeToken: (token) => token !== undefined && readNoticeToken(token, tools.secrets) !== undefined,
    isAllowedUrl,
    quotaSync: auditedSync({
      ...tools,
      actor: 'admin-api',
      audit: store.audit,
      sync: {
        organization: syncOrganization({ organizations: store.organizations, cache }),
        user: limits.syncUser,
        modelPrice: syncModelPrice({ models: store.models, cache, clock: tools.clock }),
      },
    }),
  }
}
