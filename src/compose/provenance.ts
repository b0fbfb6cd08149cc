import { createHash } from 'node:crypto'
import { type C2paReading, readC2pa } from '@sluice/provenance/c2pa/read-c2pa'
import { readChunks } from '@sluice/provenance/clip-reader'
import { type ClipFacts, inspectClip } from '@sluice/provenance/inspect-clip'
import { readFileWith } from '../adapters/media/read-file-with.ts'

/** Origin of a media file on disk, as the file states it. */
export interface FileProvenance {
  sha256: string
  bytes: number
  facts: ClipFacts
  c2pa: C2paReading
}

/** Reads a file without ever having all of it in memory. */
export function inspectFile(path: string): Promise<FileProvenance> {
  return readFileWith(path, async (file) => {
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
