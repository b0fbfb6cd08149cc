/** What a vendor has made or keeps, as it comes from the vendor's link. */
export interface Media {
  /** 200, 206 for a part, or 416 for a part that is not there. */
  status: 200 | 206 | 416
  /** Only types of video, image and audio. */
  contentType: string
  /** Decimal digits; undefined where the vendor does not say. */
  contentLength: string | undefined
  contentRange: string | undefined
  /** A stream: what ends it ends the transfer. */
  body: AsyncIterable<Uint8Array>
}

/** Rejects with `ApiError('upstream_error')` where the link does not lead to media. */
export type OpenMedia = (media: {
  url: string
  /** What it should be, where the link does not say. */
  kind: 'Video' | 'Image' | 'Audio'
  /** One range of bytes, as in the header. */
  range: string | undefined
  organizationId: string
  signal: AbortSignal
}) => Promise<Media>
