/** Reasons for the failure of an asset in `error.code`, with messages for vendors that give no text. */
export const ASSET_FAILURES = {
  moderation_rejected: 'The content was rejected by moderation.',
  face_mismatch: 'The portrait does not show exactly one face, that of the verified person.',
  download_failed: 'The media could not be downloaded from its URL.',
  unsupported_format: 'The format of the media is not supported, or not that of its asset_type.',
  spec_violation: 'The size or the length of the media is not within the limits.',
  transcoding_failed: 'The media could not be converted.',
  processing_failed: 'The asset could not be processed.',
} as const satisfies Record<string, string>

export type AssetFailureCode = keyof typeof ASSET_FAILURES

/** Maps a vendor's code, which may have a tail, such as `DownloadFailed.Timeout`. */
export function assetFailureOf(vendorCode: string | undefined): AssetFailureCode {
  const known = VENDOR_CODES.find(([pattern]) => vendorCode !== undefined && pattern.test(vendorCode))
  return known?.[1] ?? 'processing_failed'
}

/** The order counts: a face may be sensitive content, and a rejection is more precise than a wrong size. */
const VENDOR_CODES: readonly (readonly [RegExp, AssetFailureCode])[] = [
  [/SensitiveContentDetected|RiskDetection|^ContentRestricted/i, 'moderation_rejected'],
  [/Face/i, 'face_mismatch'],
  [/^DownloadFailed/i, 'download_failed'],
  [/^(TypeMismatch|FormatUnsupported)/i, 'unsupported_format'],
  [/\wToo(Short|Long|Small|Large|Big|Low|High|Narrow|Wide|Few|Many)\b/i, 'spec_violation'],
  [/^TranscodingFailed/i, 'transcoding_failed'],
]
