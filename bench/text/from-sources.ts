import { registerHooks } from 'node:module'

const THREAD_FLAGS = "execArgv: ['--enable-source-maps'"
const IMPORTS = (process.env.NODE_OPTIONS ?? '').split(' ').filter((flag) => flag.startsWith('--import='))

/**
 * Loaded into a gateway with `--import`: it runs from its sources and not from the bundle, so that parts of it can be
 * replaced, also in the threads of SQLite, which do not get the options of the process.
 */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (url.endsWith('/bin/program.js'))
      return { ...loaded, source: replaced(loaded.source, '{ bundle: freshBundle() }', '{}') }
    if (!url.endsWith('/src/adapters/sqlite/store-thread.ts')) return loaded
    const flags = [THREAD_FLAGS, ...IMPORTS.map((flag) => `'${flag}'`)].join(', ')
    return { ...loaded, source: replaced(loaded.source, THREAD_FLAGS, flags) }
  },
})

function replaced(source: unknown, part: string, by: string): string {
  if (!String(source).includes(part)) throw new Error(`the source has no "${part}" any more`)
  return String(source).replace(part, by)
}
