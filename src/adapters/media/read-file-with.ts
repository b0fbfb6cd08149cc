import { open } from 'node:fs/promises'
import type { ClipReader } from '@sluice/provenance/clip-reader'

/** Opens a file on disk for random access. */
export async function readFileWith<Result>(
  path: string,
  use: (file: ClipReader) => Promise<Result>,
): Promise<Result> {
  await using handle = await open(path)
  const { size } = await handle.stat()
  return await use({
    size,
    async read(offset, length) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    },
  })
}
