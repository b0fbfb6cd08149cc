import type { ContentItem, MediaKind, VideoRequest } from './request.ts'

/** A media item that names an asset instead of a place on the web. */
export interface AssetReference {
  id: string
  /** What the item uses it as; the asset must be of that type. */
  kind: MediaKind
  /** The item's place in the client's `content`. */
  index: number
}

/** In the order of the content; an asset that is used twice is listed twice. */
export function assetReferences({ items }: VideoRequest): AssetReference[] {
  return items.flatMap((item) => {
    const id = item.kind === 'text' ? undefined : assetIdOf(item.url)
    return item.kind === 'text' || id === undefined ? [] : [{ id, kind: item.kind, index: item.index }]
  })
}

/** The same request with the URLs that the assets stand for, each under the `index` of its reference. */
export function withResolvedUrls(request: VideoRequest, urls: ReadonlyMap<number, string>): VideoRequest {
  const resolve = (item: ContentItem): ContentItem =>
    item.kind === 'text' ? item : { ...item, url: urls.get(item.index) ?? item.url }
  return { ...request, items: request.items.map(resolve) }
}

const SCHEME = 'asset://'

/** undefined when the URL is none of an asset, or names none. */
export function assetIdOf(url: string): string | undefined {
  return url.startsWith(SCHEME) && url.length > SCHEME.length ? url.slice(SCHEME.length) : undefined
}
