import './from-sources.ts'
import { registerHooks } from 'node:module'

const LOG_COLUMNS = /^ {2}operation: .*\n {2}status: .*\n {2}code: .*\n/m
const LOG_INDEX = /^ {4}create index text_usage_by_time .*\n/m

const TAKEN_OUT: Record<string, readonly RegExp[]> = {
  '/src/adapters/sql/usage/insert-usage-rows.ts': [LOG_COLUMNS],
  '/src/adapters/sql/migrations/release-03/usage.ts': [LOG_INDEX],
}

/** Loaded into a gateway with `--import`: its usage rows lack the columns of the request log and their index by time. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const place = Object.keys(TAKEN_OUT).find((path) => url.endsWith(path))
    if (place === undefined) return loaded
    let source = String(loaded.source)
    for (const part of TAKEN_OUT[place] ?? []) {
      if (!part.test(source)) throw new Error(`the request log cannot be taken out of ${place} any more`)
      source = source.replace(part, '')
    }
    return { ...loaded, source }
  },
})
