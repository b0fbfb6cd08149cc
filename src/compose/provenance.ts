import { createHash } from 'node:crypto'
import { type C2paReading, readC2pa } from '@sluice/provenance/c2pa/read-c2pa'
import { readChunks } from '@sluice/provenance/clip-reader'
import { type ClipFacts, inspectClip } from '@sluice/provenance/inspect-clip'
import { readFileWith } from '../adapters/media/read-file-with.ts'

/** Facts and origin of a media file on disk, as the file states them. */
export interface FileProvenance {
  sha256: string
  bytes: number
  facts: ClipFacts
  c2pa: C2paReading
}

/** Reads a file in chunks, so that a large one does not fill the memory. */
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
