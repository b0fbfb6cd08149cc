import { ApiError } from '../../domain/api-error.ts'
import type { StoredClip } from '../../ports/clips.ts'
import type { FoundContent, Media } from '../../ports/media.ts'
import type { MediaStore } from '../../ports/media-store.ts'

export function openKept(
  { storeKey: key, facts }: Pick<StoredClip, 'storeKey' | 'facts'>,
  media: Pick<MediaStore, 'open'>,
): FoundContent {
  if (key === null || facts === null) throw new Error('the copy has no file')
  const { bytes, mediaType, sha256 } = facts
  const contentType = mediaType
  return {
    kept: { bytes, mediaType, sha256 },
    async open({ range: written, signal }): Promise<Media> {
      const range = written === undefined ? undefined : readRange(written, bytes)
      if (range === 'outside')
        return {
          ...{ status: 416, contentType, contentLength: '0', contentRange: `bytes */${bytes}` },
          body: nothing(),
        }
      const body = await media.open({ key, range, signal })
      if (body === undefined)
        throw new ApiError('store_unavailable', { cause: new Error(`${key} is missing`) })
      if (range === undefined)
        return { ...{ status: 200, contentType, contentLength: `${bytes}`, contentRange: undefined }, body }
      const { from, to } = range
      return {
        ...{ status: 206, contentType, contentLength: `${to - from + 1}` },
        ...{ contentRange: `bytes ${from}-${to}/${bytes}`, body },
      }
    },
  }
}

/** Reads `bytes=from-to`, `bytes=from-` or `bytes=-count`; the edge has checked the format. */
function readRange(written: string, bytes: number): { from: number; to: number } | 'outside' {
  const [start = '', end = ''] = written.slice('bytes='.length).split('-')
  const from = start === '' ? Math.max(0, bytes - Number(end)) : Number(start)
  const to = start === '' || end === '' ? bytes - 1 : Math.min(Number(end), bytes - 1)
  return from <= to && from < bytes ? { from, to } : 'outside'
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
