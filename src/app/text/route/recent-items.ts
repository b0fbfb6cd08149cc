import type { Caller } from '../../../domain/access/api-key.ts'
import type { JsonObject } from '../../../domain/json-object.ts'
import type { Cache } from '../../../ports/cache.ts'
import type { Log } from '../../../ports/log.ts'
import type { Secrets } from '../../../ports/secrets.ts'
import type { ClosedValue, OpenValues } from '../kept/open-values.ts'
import { logCacheOutageOnce } from '../replay/log-cache-outage.ts'

const KEPT_MS = 3_600_000
const KEPT_LENGTH_MAX = 256 * 1024
/** All that one request is given back: it is more than models write in an hour, and it is read and written at once. */
const FOUND_LENGTH_MAX = 1024 * 1024
/** All items that an organization has in the cache. */
const SHARE_BYTES_MAX = 8 * 1024 * 1024

export type ItemOwner = Pick<Caller, 'keyId' | 'organizationId'>

/** Output items that were sent to clients lately, so that a later request may point to them. */
export interface RecentItems {
  /** Never fails: an item that could not be kept is refused when a later request refers to it. */
  keep(owner: ItemOwner, items: readonly unknown[]): void
  /** Those that are still known. */
  find(owner: ItemOwner, ids: readonly string[]): Promise<Map<string, JsonObject>>
}

/** Of one API key each, and encrypted: what was said is not for the cache to show. */
export function recentItems({
  cache,
  secrets,
  opener,
  log,
}: {
  cache: Cache
  secrets: Secrets
  opener: Pick<OpenValues, 'text'>
  log: Log
}): RecentItems {
  const watch = logCacheOutageOnce(log, {
    event: 'cache.items_not_kept',
  })
  return {
    keep(owner, items) {
      const share = { name: itemShareOf(owner.organizationId), bytesMax: SHARE_BYTES_MAX }
      for (const item of items) {
        const { id } = Object(item)
        const text = JSON.stringify(item)
        if (typeof id !== 'string' || text.length > KEPT_LENGTH_MAX) continue
        const place = placeOf(owner, secrets.digest(nameOf(owner, id)))
        void watch.attempt(() => cache.set(place, secrets.encrypt(text, place), { ttlMs: KEPT_MS, share }))
      }
    },
    async find(owner, ids) {
      const closed: { id: string; value: ClosedValue }[] = []
      let length = 0
      await Promise.all(
        [...new Set(ids)].map(async (id) => {
          for (const digest of secrets.digests(nameOf(owner, id))) {
            const place = placeOf(owner, digest)
            const kept = await watch.attempt(() => cache.get(place))
            const encrypted = kept?.value
            if (encrypted === undefined || length + encrypted.length > FOUND_LENGTH_MAX) continue
            length += encrypted.length
            closed.push({ id, value: { encrypted, place } })
          }
        }),
      )
      const found = new Map<string, JsonObject>()
      for (const { id, value } of closed) {
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

/** A client may point to anything of any length: its digest stands in the place. */
function nameOf({ keyId }: ItemOwner, id: string): string {
  return `item ${keyId} ${id}`
}

function placeOf({ organizationId }: ItemOwner, digest: string): string {
  return `sluice:{org:${organizationId}}:item:${digest}`
}
