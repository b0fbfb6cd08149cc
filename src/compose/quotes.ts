import { isUtf8 } from 'node:buffer'
import { LIGHT_VALUES_MAX, parseJson } from '@sluice/dialects/json/parse-json'
import { lookUpTenants } from '../app/access/look-up-tenants.ts'
import { applyAssetSnapshot } from '../app/assets/apply-asset-snapshot.ts'
import { resolveAssets } from '../app/assets/resolve-assets.ts'
import { syncAsset } from '../app/assets/sync-asset.ts'
import { openPriceBook } from '../app/catalog/price-book.ts'
import { CREATE_BODY_BYTES_MAX } from '../app/video/create-body/bounds.ts'
import { parseCreateTask } from '../app/video/create-body/parse-create-task.ts'
import { type QuoteView, quoteTask } from '../app/video/quote-task.ts'
import { createWriteRetries } from '../app/waiting/retry-write.ts'
import { createUrlCheck } from '../domain/addresses/url-check.ts'
import { ApiError } from '../domain/api-error.ts'
import { composeAssetVendor } from './asset-vendor.ts'
import type { Config } from './config.ts'
import { composeOperator } from './operator.ts'
import { readProviderSet } from './providers/provider-set.ts'
import { ownersOfModels, servedModels } from './served-models.ts'
import { composeVendors } from './vendors.ts'

/** Caller of an operator's quote. It has no user and no key, and so no limits of them. */
const CALLER = {
  userId: '',
  keyId: '',
  keyRequestsPerMinute: null,
  organizationRequestsPerMinute: null,
  keepReplies: null,
  allowedModels: null,
  hasBudget: false,
}

/** Makes a quote without a running gateway, with the parser and the use case of `POST /v1/video/quotes`. */
export async function quoteOrder(
  config: Config,
  { organizationId, body }: { organizationId: string; body: Buffer },
): Promise<QuoteView> {
  await using opened = new AsyncDisposableStack()
  const { store, tools, close } = await composeOperator(config)
  opened.defer(close)
  const { disabledAtMs } = await lookUpTenants(store).showOrganization(organizationId)
  if (disabledAtMs !== null) throw new ApiError('organization_disabled')
  const providers = await readProviderSet(config, { store, tools })
  const catalog = await store.models.list()
  const vendors = await composeVendors({ config, catalog, tools })
  opened.defer(() => vendors.close())
  await vendors.replace(providers)
  const keeper = composeAssetVendor({ config, tools })
  opened.defer(() => keeper.close())
  await keeper.replace(providers.serving)
  const retries = createWriteRetries(tools)
  opened.defer(() => retries.close())
  const parts = { ...tools, vendor: keeper.vendor, assets: store.assets, retries }
  const newClipId = config.media.store === 'off' ? undefined : () => tools.newId('clip')
  const sync = syncAsset({ ...parts, applySnapshot: applyAssetSnapshot({ ...parts, newClipId }) })
  const prices = openPriceBook({
    models: store.models,
    clock: tools.clock,
    offers: servedModels(providers.serving),
    ownerOf: ownersOfModels(providers.serving),
  })
  await prices.listModels(organizationId)
  const request = parseCreateTask(readJson(body), body, {
    findVideoModel: (name) => prices.findVideoModel(name, organizationId),
    isAllowedUrl: createUrlCheck(config.outbound.allowedRanges),
  })
  const quote = quoteTask({
    ...tools,
    tasks: store.tasks,
    prices,
    findVendor: vendors.find,
    assets: resolveAssets({ ...parts, sync }),
    days: { reserve: () => undefined, letGo: async () => {} },
    settings: config.video,
  })
  return await quote({ request, caller: { ...CALLER, organizationId } })
}

function readJson(body: Buffer): unknown {
  if (body.length > CREATE_BODY_BYTES_MAX) throw new ApiError('body_too_large')
  if (!isUtf8(body)) throw new ApiError('invalid_json')
  return parseJson(body, { nul: 'refuse', valuesMax: LIGHT_VALUES_MAX })
}
