import { authenticate, forgetRevokedKeys } from '../app/access/authenticate.ts'
import type { App } from '../app/app.ts'
import { openPriceBook } from '../app/catalog/price-book.ts'
import { checkReadiness } from '../app/check-readiness.ts'
import { auditedSync } from '../app/quota/audited-sync.ts'
import { hearQuotaChanges } from '../app/quota/quota-news.ts'
import { syncModelPrice } from '../app/quota/sync-model-price.ts'
import { syncOrganization } from '../app/quota/sync-organization.ts'
import { listTasks } from '../app/video/list-tasks.ts'
import type { Config } from '../config/config.ts'
import type { Cache } from '../ports/cache.ts'
import type { Store } from '../ports/store.ts'
import type { BillingParts } from './billing.ts'
import type { Limits } from './limits.ts'
import type { Tools } from './tools.ts'

/** Every use case of the edge, and the news that makes them forget. */
export async function composeApp({
  config,
  tools,
  store,
  cache,
  limits,
  billing,
}: {
  config: Config
  tools: Tools
  store: Store
  cache: Cache
  limits: Limits
  billing: BillingParts
}): Promise<App> {
  const access = authenticate({ apiKeys: store.apiKeys, ...tools })
  await forgetRevokedKeys({ cache, forgetKey: access.forgetKey, log: tools.log })
  const configured = new Set(config.providers.map(({ name }) => name))
  const offers = (provider: string) => configured.size === 0 || configured.has(provider)
  const prices = openPriceBook({ models: store.models, clock: tools.clock, offers })
  await hearQuotaChanges({
    cache,
    log: tools.log,
    forget(change) {
      if (change.kind === 'model') prices.forget()
      else if (change.kind === 'user') limits.ofUsers.forget(change.id)
      else {
        access.forgetOrganization(change.id)
        billing.allowances.forget(change.id)
      }
    },
  })
  return {
    authenticate: access.authenticate,
    checkRate: limits.checkRate,
    checkReadiness: checkReadiness({ store, cache }),
    listModels: prices.listModels,
    listTasks: listTasks({ tasks: store.tasks, secrets: tools.secrets }),
    quotaSync: auditedSync({
      ...tools,
      actor: 'admin-api',
      audit: store.audit,
      sync: {
        organization: syncOrganization({ organizations: store.organizations, cache }),
        user: limits.syncUser,
        modelPrice: syncModelPrice({ models: store.models, cache }),
      },
    }),
  }
}
