import { ApiError } from '../../domain/api-error.ts'
import type { Media, OpenMedia } from '../../ports/media.ts'
import type { GuardedClient } from './guarded-client.ts'
import type { StreamedAnswer } from './streamed-answer.ts'

/** Time limit from the look-up to the last byte; a person may watch the video while it is sent. */
const TOTAL_MS = 10 * 60_000
/** Pause of a reader, such as a paused player, after which the transfer is cut. A range request gets the rest. */
const PAUSE_MS_MAX = 30_000
const REDIRECTS_MAX = 3

/** Content types that object stores use for any file. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['application/octet-stream', 'binary/octet-stream', ''])
const USUAL_TYPES = { Video: 'video/mp4', Image: 'image/jpeg', Audio: 'audio/mpeg' } as const
/** Media types, without SVG, which can run scripts. */
const MEDIA_TYPE = /^(?:video|audio|image)\/(?!svg)[\w.+-]+$/

/** Opens a vendor's link to media. Each redirect is checked like the link, and no credentials are sent. */
export function createMediaOpener({ client }: { client: Pick<GuardedClient, 'open'> }): OpenMedia {
  return async ({ url, kind, range, organizationId, signal }) => {
    const headers: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity' }
    if (range !== undefined) headers.range = range
    const call = {
      operation: 'media',
      holder: organizationId,
      method: 'GET',
      headers,
      totalTimeoutMs: TOTAL_MS,
      pauseMsMax: PAUSE_MS_MAX,
      signal,
    } as const
    let at = url
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const answer = await client.open({ ...call, url: at }).catch((cause: unknown) => {
        throw new ApiError('upstream_error', { message: 'The link of the provider does not answer.', cause })
      })
      const target = redirectOf(answer, at)
      if (target === undefined) return readMedia(answer, { kind, range })
      answer.body.destroy()
      at = target
    }
    throw new ApiError('upstream_error', { message: 'The link of the provider redirects too often.' })
  }
}

function redirectOf({ status, headers }: StreamedAnswer, from: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined
  return URL.parse(headers.location, from)?.href
}

function readMedia(
  { status, headers, body }: StreamedAnswer,
  { kind, range }: Pick<Parameters<OpenMedia>[0], 'kind' | 'range'>,
): Media {
  const [written = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const type = UNKNOWN_TYPES.has(written.trim()) ? USUAL_TYPES[kind] : written.trim()
  // A 206 to a request without a range would look like the whole file.
  const isKnown = status === 200 || (range !== undefined && (status === 206 || status === 416))
  if (isKnown && (status === 416 || MEDIA_TYPE.test(type)))
    return {
      status,
      contentType: type,
      contentLength: matching(/^\d{1,15}$/, headers['content-length']),
      contentRange: matching(/^bytes [\d*/-]{1,60}$/, headers['content-range']),
      body,
    }
  body.destroy()
  const message = isKnown
    ? 'The link of the provider leads to something that is not media.'
    : `The link of the provider answers with HTTP ${status}.`
  throw new ApiError('upstream_error', { message })
}

function matching(pattern: RegExp, value: string | undefined): string | undefined {
  return value !== undefined && pattern.test(value) ? value : undefined
}
