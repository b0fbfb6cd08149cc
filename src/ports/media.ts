import type { FileFacts } from '../domain/video/clip.ts'

export interface Media {
  /** 206 is for a range, 416 for a range outside the file. */
  status: 200 | 206 | 416
  /** Only types of video, image and audio. */
  contentType: string
  /** Decimal digits; undefined: the vendor does not report the length. */
  contentLength: string | undefined
  contentRange: string | undefined
  /** Ending this stream ends the transfer. */
  body: AsyncIterable<Uint8Array>
}

/** Rejects with `ApiError('upstream_error')` where the link does not lead to media. */
export type OpenMedia = (media: {
  url: string
  /** Expected kind, for a link that does not tell. */
  kind: 'Video' | 'Image' | 'Audio'
  /** One range of bytes, in the format of the header. */
  range: string | undefined
  organizationId: string
  signal: AbortSignal
}) => Promise<Media>

export interface FoundContent {
  /** `signal` is aborted when the client has received everything or has left. */
  open(part: { range: string | undefined; signal: AbortSignal }): Promise<Media>
  /** Left out when the vendor has the file. */
  kept?: Pick<FileFacts, 'bytes' | 'mediaType' | 'sha256'>
}
