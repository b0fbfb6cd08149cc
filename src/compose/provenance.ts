import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { type C2paReading, readC2pa } from '@sluice/provenance/c2pa/read-c2pa'
import { type ClipReader, readChunks } from '@sluice/provenance/clip-reader'
import { type ClipFacts, inspectClip } from '@sluice/provenance/inspect-clip'

/** Origin of a media file on disk, as the file states it. */
export interface FileProvenance {
  sha256: string
  bytes: number
  facts: ClipFacts
  c2pa: C2paReading
}

/** Reads a file without ever having all of it in memory. */
export function inspectFile(path: string): Promise<FileProvenance> {
  return readFile(path, async (file) => {
    const hash = createHash('sha256')
    for await (const chunk of readChunks(file)) hash.update(chunk)
    return {
      sha256: hash.digest('hex'),
      bytes: file.size,
      facts: await inspectClip(file),
      c2pa: await readC2pa(file),
    }
  })
}

/** Reads what a file on disk says about itself. */
export function inspectFacts(path: string): Promise<ClipFacts> {
  return readFile(path, inspectClip)
}

async function readFile<Result>(path: string, use: (file: ClipReader) => Promise<Result>): Promise<Result> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    return await use({
      size,
      async read(offset, length) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      },
    })
  } finally {
    await handle.close()
  }
}
