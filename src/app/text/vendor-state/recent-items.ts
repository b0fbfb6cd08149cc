import type { JsonObject } from '@sluice/dialects/json/json-object'
import type { Caller } from '../../../domain/access/api-key.ts'
import type { Runtime } from '../../runtime.ts'
import { logCacheOutageOnce } from '../cache/log-cache-outage.ts'
import type { EncryptedValue, OpenValues } from '../cache/open-values.ts'

const KEPT_MS = 3_600_000
const KEPT_LENGTH_MAX = 256 * 1024
/** Maximum length of all items that one request gets back. A model rarely writes more within `KEPT_MS`. */
const FOUND_LENGTH_MAX = 1024 * 1024
const SHARE_BYTES_MAX = 8 * 1024 * 1024

export type ItemOwner = Pick<Caller, 'keyId' | 'organizationId'>

/** Output items that were sent to clients recently, so that a later request may refer to them. */
export interface RecentItems {
  /** Never fails. An item that was not kept is unknown to later requests that refer to it. */
  keep(owner: ItemOwner, items: readonly unknown[]): void
  find(owner: ItemOwner, ids: readonly string[]): Promise<Map<string, JsonObject>>
}

/** Each item belongs to one API key. Items are encrypted, so that the cache shows no content. */
export function recentItems(
  tools: Pick<Runtime, 'cache' | 'log' | 'secrets'> & {
    opener: Pick<OpenValues, 'text'>
  },
): RecentItems {
  const { cache, secrets, opener, log } = tools
  const watch = logCacheOutageOnce(log, { event: 'cache.items_not_kept' })
  return {
    keep(owner, items) {
      const share = { name: itemShareOf(owner.organizationId), bytesMax: SHARE_BYTES_MAX }
      for (const item of items) {
        const { id } = Object(item)
        const text = JSON.stringify(item)
        if (typeof id !== 'string' || text.length > KEPT_LENGTH_MAX) continue
        const key = keyOf(owner, secrets.digest(nameOf(owner, id)))
        void watch.attempt(() => cache.set(key, secrets.encrypt(text, key), { ttlMs: KEPT_MS, share }))
      }
    },
    async find(owner, ids) {
      const encryptedItems: { id: string; value: EncryptedValue }[] = []
      let length = 0
      await Promise.all(
        [...new Set(ids)].map(async (id) => {
          for (const digest of secrets.digests(nameOf(owner, id))) {
            const key = keyOf(owner, digest)
            const kept = await watch.attempt(() => cache.get(key))
            const encrypted = kept?.value
            if (encrypted === undefined || length + encrypted.length > FOUND_LENGTH_MAX) continue
            length += encrypted.length
            encryptedItems.push({ id, value: { encrypted, boundTo: key } })
          }
        }),
      )
      const found = new Map<string, JsonObject>()
      for (const { id, value } of encryptedItems) {
        const text = await opener.text(value, owner.organizationId)
        if (text !== undefined) found.set(id, JSON.parse(text))
      }
      return found
    },
  }
}

export function itemShareOf(organizationId: string): string {
  return `sluice:{org:${organizationId}}:items`
}

/** A client may refer to an id of any length, so the cache key contains its digest. */
function nameOf({ keyId }: ItemOwner, id: string): string {
  return `item ${keyId} ${id}`
}

function keyOf({ organizationId }: ItemOwner, digest: string): string {
  return `sluice:{org:${organizationId}}:item:${digest}`
}
