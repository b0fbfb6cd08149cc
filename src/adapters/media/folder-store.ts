import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { MediaStore } from '../../ports/media-store.ts'

/** Keeps files under one folder, which must be on the file system of the stage: files are renamed into it. */
export function createFolderStore(root: string): MediaStore {
  return {
    async put({ key, path }) {
      const target = join(root, key)
      const made = (await mkdir(dirname(target), { recursive: true })) ?? target
      await rename(path, target)
      // The names of the file and of new folders must survive a power loss too.
      const highest = Math.min(root.length, dirname(made).length)
      for (let folder = dirname(target); folder.length >= highest; folder = dirname(folder))
        await syncFolder(folder)
    },
    async open({ key, range }) {
      const file = await open(join(root, key)).catch(unlessMissing)
      if (file === undefined) return undefined
      return createReadStream('', { fd: file, ...(range && { start: range.from, end: range.to }) })
    },
    async remove(start) {
      await rm(join(root, start), { recursive: true, force: true })
    },
    async *list() {
      const entries =
        (await readdir(root, { recursive: true, withFileTypes: true }).catch(unlessMissing)) ?? []
      for (const entry of entries) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const found = await stat(path).catch(unlessMissing)
        if (found !== undefined) yield { key: relative(root, path).replaceAll(sep, '/'), bytes: found.size }
      }
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
