import { createHash, randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type ClipReader, readChunks } from '@sluice/provenance/clip-reader'
import { inspectClip } from '@sluice/provenance/inspect-clip'
import { markClip } from '@sluice/provenance/mark-clip'
import type { MarkOrder, PreparedFile, StagedFile } from '../../ports/media-store.ts'
import { readFileWith } from './read-file-with.ts'

export interface ClipWork {
  file: StagedFile
  markedPath: string
  marks: MarkOrder
}

const { file, markedPath, marks } = workerData as ClipWork
const kept = await readFileWith(file.path, async (clip) => {
  const c2pa = marks.c2pa && { ...marks.c2pa, id: randomUUID() }
  const marked = await markClip(clip, { aigc: marks.aigc, c2pa })
  return marked.added.length === 0 ? file : await write(marked.file)
})
const seen = await readFileWith(kept.path, inspectClip)
const facts = {
  durationMs: seen.duration_ms,
  width: seen.width,
  height: seen.height,
  marks: JSON.stringify(seen.marks),
}
parentPort?.postMessage({ ...kept, facts } satisfies PreparedFile)

async function write(marked: ClipReader): Promise<StagedFile> {
  const hash = createHash('sha256')
  await using target = await open(markedPath, 'w', 0o600)
  for await (const piece of readChunks(marked)) {
    hash.update(piece)
    await target.writeFile(piece)
  }
  await target.sync()
  return { path: markedPath, bytes: marked.size, sha256: hash.digest('hex') }
}
