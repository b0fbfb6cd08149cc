import type { ErasedFile } from '../../domain/video/clip.ts'

/** Returns one line about the erased copies, or no line when there are none. */
export function describeFiles(files: readonly ErasedFile[]): string[] {
  if (files.length === 0) return []
  const named = files.map((file) => `${'assetId' in file ? file.assetId : file.taskId} (${file.sha256})`)
  return [`Erased copies of files: ${named.join(', ')}`]
}
