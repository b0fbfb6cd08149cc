/** Files of a task. */
export const CLIP_KINDS = ['video', 'last_frame'] as const
export type TaskClipKind = (typeof CLIP_KINDS)[number]

/** The copy of an asset has the asset's id in place of a task's. */
export type ClipKind = TaskClipKind | 'asset'

/** Kind of a file in the media store: a task's result, an asset's copy, or an image uploaded for a task. */
export type FileKind = ClipKind | 'upload'

/**
 * The life of a copy.
 *
 *   copying -> kept -----> erased
 *      |---> given-up        ^
 *      \---------------------/
 *
 * `reason` tells why a copy was given up or erased. Its file is removed after the state has changed.
 */
export type ClipState = 'copying' | 'kept' | 'given-up' | 'erased'

/** Consent of the verified people in a video: no such person, all gave it, or one revoked it. */
export type ClipConsent = 'none' | 'given' | 'withdrawn'

/** Member of a task's `content`, or of an asset, with the link to the file. */
export const LINK_OF = {
  video: 'video_url',
  last_frame: 'last_frame_url',
  asset: 'url',
} as const satisfies Record<ClipKind, string>

/** Properties of a copied file. Hashes are lower-case hex. */
export interface FileFacts {
  sha256: string
  /** Hash of the vendor's file, before the gateway adds its marks. */
  sourceSha256: string
  bytes: number
  mediaType: string
  durationMs: number | null
  width: number | null
  height: number | null
  /** Whether the client asked for the vendor's mark; null: the order did not say. */
  watermark: boolean | null
  /** JSON of the marks that were found; null: the file was not inspected. */
  marks: string | null
}

/** Prefix of the keys of a copy in the media store. */
export function clipFolder({ organizationId, id }: { organizationId: string; id: string }): string {
  return `${organizationId}/${id}/`
}

export type ErasedFile = ({ taskId: string } | { assetId: string }) & { sha256: string }
