import type { ErasedFile } from '../../domain/video/clip.ts'

/** One line about kept videos that were erased; none where there were none. */
export function describeFiles(files: readonly ErasedFile[]): string[] {
  if (files.length === 0) return []
  return [
    `Kept videos that are erased: ${files.map(({ taskId, sha256 }) => `${taskId} (${sha256})`).join(', ')}`,
  ]
}
