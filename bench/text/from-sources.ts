import { registerHooks } from 'node:module'

/**
 * Loaded into a gateway with `--import`: it runs from its sources and not from the bundle, so that parts of it can be
 * replaced.
 */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/bin/program.js')) return loaded
    return { ...loaded, source: String(loaded.source).replace('{ bundle: freshBundle() }', '{}') }
  },
})
