import type { App } from '../app/app.ts'
import { applyAssetSnapshot } from '../app/assets/apply-asset-snapshot.ts'
import type { AssetVendor } from '../app/assets/asset-vendor.ts'
import { createAsset } from '../app/assets/create-asset.ts'
import { getAsset } from '../app/assets/get-asset.ts'
import { listAssets } from '../app/assets/list-assets.ts'
import { refreshPage } from '../app/assets/refresh-page.ts'
import { removeCopies } from '../app/assets/remove-copies.ts'
import { resolveAssets } from '../app/assets/resolve-assets.ts'
import { sweepAssets } from '../app/assets/sweep-assets.ts'
import { syncAsset } from '../app/assets/sync-asset.ts'
import { closeInTime } from '../app/jobs/deadline.ts'
import { consentUrlOf } from '../app/verification/consent-link.ts'
import { dropOldVerifications } from '../app/verification/drop-old-verifications.ts'
import { returnFromVerification } from '../app/verification/return-from-verification.ts'
import { consents } from '../app/verification/revoke-consent.ts'
import { startVerification } from '../app/verification/start-verification.ts'
import { createWriteRetries } from '../app/waiting/retry-write.ts'
import type { AssetResolver } from '../ports/asset-store.ts'
import type { Store } from '../ports/store.ts'
import { startSweeper, startWorker } from '../workers/schedule.ts'
import type { Kept } from './media.ts'
import type { Tools } from './tools.ts'

interface ReplaceableAssets extends AssetParts {
  /** Composes the use cases again for another vendor. Running requests end with the old vendor. */
  useVendor(vendor: AssetVendor | undefined): Promise<void>
}

export interface AssetParts {
  useCases: Pick<
    App,
    'createAsset' | 'getAsset' | 'listAssets' | 'startVerification' | 'returnFromVerification' | 'consents'
  >
  resolver: AssetResolver
  close(): Promise<void>
}

export function composeAssets(input: {
  /** undefined: no provider is configured for assets. */
  vendor: AssetVendor | undefined
  tools: Pick<Tools, 'clock' | 'deadlineClock' | 'log' | 'metrics' | 'newId' | 'pause' | 'secrets'>
  store: Pick<Store, 'assets' | 'verifications' | 'erasures'>
  publicBaseUrl: () => string
  sweepIntervalMs: number
  /** Left out: no files are kept. */
  kept?: Pick<Kept, 'links' | 'newClipId'> | undefined
  /** Left out: each wait has its own default. */
  patienceMs?: number
}): AssetParts {
  const { vendor, tools, store, publicBaseUrl, sweepIntervalMs, kept, patienceMs } = input
  const { assets, verifications, erasures } = store
  const retries = createWriteRetries(tools)
  const parts = { ...tools, patienceMs, vendor, assets, verifications, retries, publicBaseUrl }
  const taking = { ...parts, applySnapshot: applyAssetSnapshot({ ...parts, newClipId: kept?.newClipId }) }
  const sync = syncAsset(taking)
  const { log } = tools
  const sweep = vendor && sweepAssets({ ...taking, vendor, sweepIntervalMs })
  const sweeper = sweep && startSweeper('asset-sweeper', { run: sweep.pass, everyMs: sweepIntervalMs, log })
  // The cleaner also runs without a vendor, because rows of an earlier vendor may exist.
  const cleaner = startWorker('verification-cleaner', {
    run: dropOldVerifications({ ...parts, clock: tools.deadlineClock }),
    log,
  })
  const remover =
    vendor?.canDelete === true
      ? startWorker('copy-remover', { run: removeCopies({ ...tools, erasures, vendor }), log })
      : undefined
  return {
    useCases: {
      createAsset: createAsset({ ...parts, firstPollAfterMs: sweepIntervalMs }),
      getAsset: getAsset({ ...parts, sync, links: kept?.links }),
      listAssets: listAssets({ ...parts, refresh: refreshPage(taking), links: kept?.links }),
      startVerification: startVerification(parts),
      returnFromVerification: returnFromVerification({
        ...parts,
        clock: tools.deadlineClock,
        consentUrlOf: consentUrlOf(parts),
      }),
      consents: consents({
        ...parts,
        erasures,
        deletableProviders: vendor?.canDelete ? [vendor.provider] : [],
      }),
    },
    resolver: resolveAssets({ ...parts, sync }),
    close: () =>
      closeInTime([retries.close(), sweeper?.stop(), sweep?.stop(), cleaner.stop(), remover?.stop()]),
  }
}

/** Holds the use cases of assets, whose vendor may change. */
export function replaceableAssets(
  compose: (vendor: AssetVendor | undefined) => AssetParts,
  first: AssetVendor | undefined,
): ReplaceableAssets {
  let vendor = first
  let parts = compose(first)
  return {
    async useVendor(next) {
      if (next === vendor) return
      const before = parts
      parts = compose(next)
      vendor = next
      await before.close()
    },
    useCases: {
      createAsset: (...command) => parts.useCases.createAsset(...command),
      getAsset: (...command) => parts.useCases.getAsset(...command),
      listAssets: (...command) => parts.useCases.listAssets(...command),
      startVerification: (...command) => parts.useCases.startVerification(...command),
      returnFromVerification: (...command) => parts.useCases.returnFromVerification(...command),
      consents: {
        show: (...command) => parts.useCases.consents.show(...command),
        revoke: (...command) => parts.useCases.consents.revoke(...command),
      },
    },
    resolver: { resolve: (...question) => parts.resolver.resolve(...question) },
    close: () => parts.close(),
  }
}
