import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Files that are loaded by their address: the command line, the server, the threads, and parts that tests start. */
export const ENTRIES = {
  main: 'src/main.ts',
  config: 'src/compose/config.ts',
  'start-server': 'src/process/start-server.ts',
  'sqlite-store': 'src/adapters/sqlite/open-store.ts',
  'sqlite-migrate': 'src/adapters/sqlite/migrate.ts',
  'postgres-store': 'src/adapters/postgres/open-store.ts',
  'writer-thread': 'src/adapters/sqlite/writer-thread.ts',
  'reader-thread': 'src/adapters/sqlite/reader-thread.ts',
  'heavy-job-thread': 'src/adapters/threads/heavy-job-thread.ts',
  'clip-thread': 'src/adapters/media/clip-thread.ts',
  sandbox: 'sandbox/server.ts',
  yaml: 'src/config/yaml/yaml.ts',
}

export const ROOT = new URL('../', import.meta.url)
export const ROOT_PATH = fileURLToPath(ROOT)
export const BUNDLES = new URL('node_modules/.cache/sluice-bundle/', ROOT)
/** Names the folder of the newest bundle, and every file that it was made from. */
export const MANIFEST = new URL('manifest.json', BUNDLES)

let chosen

/** The address of an entry: in the bundle, or, when a source has changed since the bundle was made, its source. */
export function programUrl(entry) {
  // Once for each process, so that its parts are never of two kinds.
  chosen ??= { bundle: freshBundle() }
  const { bundle } = chosen
  return bundle === undefined ? new URL(ENTRIES[entry], ROOT) : new URL(`${entry}.js`, bundle)
}

export function freshBundle() {
  try {
    const { root, folder, files } = JSON.parse(readFileSync(MANIFEST, 'utf8'))
    // A copy of the tree may share this folder through a link, and has sources of its own.
    if (root !== ROOT.href || !files.every(isUnchanged)) return undefined
    const url = new URL(`${folder}/`, BUNDLES)
    return statSync(url, { throwIfNoEntry: false }) === undefined ? undefined : url
  } catch {
    return undefined
  }
}

/** Whole seconds, since the layers of an image keep no more; `make-bundle.js` uses no file that is younger than that. */
export function stampOf(path) {
  const stat = statSync(ROOT_PATH + path, { throwIfNoEntry: false })
  return stat === undefined ? undefined : { path, second: Math.floor(stat.mtimeMs / 1000), size: stat.size }
}

function isUnchanged({ path, second, size }) {
  const now = stampOf(path)
  return now !== undefined && now.second === second && now.size === size
}
