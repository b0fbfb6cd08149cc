import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { FileTooLarge, type MediaStage, type PreparedFile } from '../../ports/media-store.ts'
import type { ClipWork } from './clip-thread.ts'

/** Age after the last write at which a file is removed; longer than the lease of a copy. */
const LEFT_BEHIND_MS = 40 * 60_000

const MARKED = '.marked'

export function createStage(folder: string, nowMs: () => number): MediaStage {
  const pathOf = (name: string) => join(folder, name)
  return {
    async receive({ name, body, bytesMax, onPiece, signal }) {
      await mkdir(folder, { recursive: true })
      const path = pathOf(name)
      const hash = createHash('sha256')
      let bytes = 0
      async function* measured() {
        for await (const piece of body) {
          bytes += piece.length
          if (bytes > bytesMax) throw new FileTooLarge()
          hash.update(piece)
          onPiece()
          yield piece
        }
      }
      await pipeline(measured, createWriteStream(path, { mode: 0o600, flush: true }), { signal })
      return { path, bytes, sha256: hash.digest('hex') }
    },
    async measure(body) {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const piece of body) {
        bytes += piece.length
        hash.update(piece)
      }
      return { bytes, sha256: hash.digest('hex') }
    },
    prepare: ({ file, marks, signal }) =>
      prepareClip({ file, markedPath: file.path + MARKED, marks }, signal),
    async drop(name) {
      for (const path of [pathOf(name), pathOf(name) + MARKED]) await rm(path, { force: true })
    },
    async tidy() {
      const names = await readdir(folder).catch(() => [])
      for (const name of names) {
        const found = await lstat(pathOf(name)).catch(() => undefined)
        if (found !== undefined && found.mtimeMs < nowMs() - LEFT_BEHIND_MS)
          await rm(pathOf(name), { force: true })
      }
    },
  }
}

const THREAD_FILE = new URL('./clip-thread.ts', import.meta.url)

/** Marks and inspects a file on a thread of its own: loading the library and hashing a film take hundreds of ms. */
async function prepareClip(work: ClipWork, signal: AbortSignal): Promise<PreparedFile> {
  const thread = new Worker(THREAD_FILE, { name: 'sluice-clip', workerData: work })
  try {
    const [prepared] = await once(thread, 'message', { signal })
    return prepared
  } finally {
    await thread.terminate()
  }
}
