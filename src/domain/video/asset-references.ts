import type { ContentItem, MediaKind, VideoRequest } from './request.ts'

export interface AssetReference {
  id: string
  /** Use of the asset in the item; the asset must be of that type. */
  kind: MediaKind
  /** Position of the item in the client's `content`. */
  index: number
}

/** An asset that is used twice is listed twice. */
export function assetReferences({ items }: VideoRequest): AssetReference[] {
  return items.flatMap((item) => {
    const id = item.kind === 'text' ? undefined : assetIdOf(item.url)
    return item.kind === 'text' || id === undefined ? [] : [{ id, kind: item.kind, index: item.index }]
  })
}

/** Replaces the URLs of assets, by the `index` of their references. */
export function withResolvedUrls(request: VideoRequest, urls: ReadonlyMap<number, string>): VideoRequest {
  const resolve = (item: ContentItem): ContentItem =>
    item.kind === 'text' ? item : { ...item, url: urls.get(item.index) ?? item.url }
  return { ...request, items: request.items.map(resolve) }
}

const SCHEME = 'asset://'

/** undefined: the URL names no asset. */
export function assetIdOf(url: string): string | undefined {
  return url.startsWith(SCHEME) && url.length > SCHEME.length ? url.slice(SCHEME.length) : undefined
}
