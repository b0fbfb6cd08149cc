import { assetStatusOf } from '../../../domain/assets/asset.ts'
import type { AssetError, AssetSnapshot } from '../../../domain/assets/asset-snapshot.ts'
import { ASSET_FAILURES, assetFailureOf } from '../../../domain/assets/failure-codes.ts'
import { looseRecord, looseText } from '../loose-value.ts'
import { readTicketId } from '../ticket-id.ts'
import { webLink } from '../web-link.ts'
import { cleanText } from './map-failure.ts'

/** Reads an asset object; undefined when it names no status and so says nothing about the asset. */
export function readAsset(
  value: unknown,
  { secrets }: { secrets: readonly string[] },
): AssetSnapshot | undefined {
  const asset = looseRecord(value)
  const word = looseText(asset.Status)
  if (word === undefined) return undefined
  const status = assetStatusOf(word)
  if (status === 'failed') return { status, url: undefined, error: readError(asset.Error, secrets) }
  // Without its link it cannot be shown as active. The next answer may bring it; an end could not be taken back.
  const url = status === 'active' ? webLink(asset.URL) : undefined
  return { status: url === undefined ? 'processing' : 'active', url, error: undefined }
}

/** The assets of a list by ticket; what has no id or says nothing is left out. */
export function readAssets(
  items: unknown,
  { secrets }: { secrets: readonly string[] },
): Map<string, AssetSnapshot> {
  const found = new Map<string, AssetSnapshot>()
  for (const item of Array.isArray(items) ? items : []) {
    const ticket = readTicketId(looseRecord(item).Id)
    const snapshot = readAsset(item, { secrets })
    if (ticket !== undefined && snapshot !== undefined) found.set(ticket, snapshot)
  }
  return found
}

function readError(error: unknown, secrets: readonly string[]): AssetError {
  const code = assetFailureOf(looseText(looseRecord(error).Code))
  const message = cleanText(looseText(looseRecord(error).Message), secrets)
  return { code, message: message ?? ASSET_FAILURES[code] }
}
