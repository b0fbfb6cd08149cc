import { expect, it } from 'vitest'
import { ASSET_FAILURES, assetFailureOf } from './failure-codes.ts'

it.each([
  ['ContentRestricted', 'moderation_rejected'],
  ['InputTextSensitiveContentDetected', 'moderation_rejected'],
  ['InputImageSensitiveContentDetected', 'moderation_rejected'],
  ['InputVideoSensitiveContentDetected.PrivacyInformation', 'moderation_rejected'],
  ['InputAudioSensitiveContentDetected', 'moderation_rejected'],
  ['InputImageRiskDetection', 'moderation_rejected'],
  ['FaceMismatch', 'face_mismatch'],
  ['NoFaceDetected', 'face_mismatch'],
  ['MultipleFaces', 'face_mismatch'],
  ['DownloadFailed', 'download_failed'],
  ['DownloadFailed.Timeout', 'download_failed'],
  ['TypeMismatch', 'unsupported_format'],
  ['FormatUnsupported', 'unsupported_format'],
  ['DurationTooShort', 'spec_violation'],
  ['DurationTooLong', 'spec_violation'],
  ['WidthTooSmall', 'spec_violation'],
  ['HeightTooLarge', 'spec_violation'],
  ['FileSizeTooLarge', 'spec_violation'],
  ['FrameRateTooHigh.Video', 'spec_violation'],
  ['TranscodingFailed', 'transcoding_failed'],
  ['TooManyRequests', 'processing_failed'],
  ['InternalError', 'processing_failed'],
  ['', 'processing_failed'],
  [undefined, 'processing_failed'],
])('%s is %s', (vendorCode, code) => {
  expect(assetFailureOf(vendorCode)).toBe(code)
})

it('has a sentence for every code', () => {
  for (const text of Object.values(ASSET_FAILURES)) expect(text).toMatch(/^[A-Z].+\.$/)
})
