import type { FileFacts } from '../domain/video/clip.ts'

/** Media behind a vendor's link. */
export interface Media {
  /** 200, 206 for a part, or 416 for a part that is not there. */
  status: 200 | 206 | 416
  /** Only types of video, image and audio. */
  contentType: string
  /** Decimal digits; undefined where the vendor does not report it. */
  contentLength: string | undefined
  contentRange: string | undefined
  /** Ending this stream ends the transfer. */
  body: AsyncIterable<Uint8Array>
}

/** Rejects with `ApiError('upstream_error')` where the link does not lead to media. */
export type OpenMedia = (media: {
  url: string
  /** Expected kind, where the link does not tell. */
  kind: 'Video' | 'Image' | 'Audio'
  /** One range of bytes, in the format of the header. */
  range: string | undefined
  organizationId: string
  signal: AbortSignal
}) => Promise<Media>

/** File that was found; nothing of it is read yet. */
export interface FoundContent {
  /** `signal` is aborted when the client has left. */
  open(part: { range: string | undefined; signal: AbortSignal }): Promise<Media>
  /** Left out: the vendor has it. */
  kept?: Pick<FileFacts, 'bytes' | 'mediaType' | 'sha256'>
}
