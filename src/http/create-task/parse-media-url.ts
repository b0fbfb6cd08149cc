import { assetIdOf } from '../../domain/video/asset-references.ts'
import { parseHttpsUrl, URL_LENGTH_MAX, type UrlCheck } from '../parse-https-url.ts'

/** An HTTPS URL that may be fetched, or an asset of ours, which is looked up later. */
export function parseMediaUrl(url: string, param: string, isAllowedUrl: UrlCheck): string {
  if (assetIdOf(url) !== undefined && url.length <= URL_LENGTH_MAX) return url
  return parseHttpsUrl(url, param, isAllowedUrl, 'must be a valid HTTPS URL or asset://<asset_id>')
}
