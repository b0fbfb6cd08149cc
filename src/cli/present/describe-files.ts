import type { ErasedFile } from '../../domain/video/clip.ts'

/** Returns one line about the erased copies of videos, or no line when there are none. */
export function describeFiles(files: readonly ErasedFile[]): string[] {
  if (files.length === 0) return []
  return [
    `Kept videos that are erased: ${files.map(({ taskId, sha256 }) => `${taskId} (${sha256})`).join(', ')}`,
  ]
}
