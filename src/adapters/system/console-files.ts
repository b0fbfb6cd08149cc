import { hash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { ConsoleFiles } from '../../ports/console-files.ts'

const FOLDER = join(import.meta.dirname, '../../../console/dist')

/** Served file types, which are those that the build writes. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** Finds files by the listing of the folder, so that no spelling of a path leads out of it. */
export function openConsoleFiles(folder: string = FOLDER): ConsoleFiles {
  let listing: { of: string; names: ReadonlySet<string> } | undefined

  /** Returns the names of the files, listed again after a build has changed the folder. */
  async function namesNow(): Promise<ReadonlySet<string>> {
    const times = await Promise.all([timeOf(folder), timeOf(join(folder, 'assets'))])
    const of = times.join()
    if (listing?.of === of) return listing.names
    const found = times[0] === undefined ? [] : await readdir(folder, { recursive: true })
    listing = { of, names: new Set(found.map((name) => name.split(sep).join('/'))) }
    return listing.names
  }

  return {
    async find(path, { brotli }) {
      const contentType = CONTENT_TYPES[extname(path)]
      if (contentType === undefined) return undefined
      const names = await namesNow()
      if (!names.has(path)) return undefined
      const encoding = brotli && names.has(`${path}.br`) ? 'br' : undefined
      const bytes = await readFile(join(folder, encoding === 'br' ? `${path}.br` : path))
      const isHashed = path.startsWith('assets/')
      const name = isHashed ? path : hash('sha256', bytes, 'base64url').slice(0, 22)
      return { bytes, contentType, encoding, isHashed, etag: `"${name}${encoding ?? ''}"` }
    },
  }
}

/** Returns undefined when the folder does not exist. */
function timeOf(folder: string): Promise<number | undefined> {
  return stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}
