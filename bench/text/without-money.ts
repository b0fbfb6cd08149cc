import './from-sources.ts'
import { registerHooks } from 'node:module'

/**
 * Loaded into a gateway with `--import`: it neither reserves nor spends, counts no rate and writes no usage; everything
 * else is unchanged. The difference is the cost of the whole money and limit path.
 */
const REPLACED: Record<string, string> = {
  '/src/app/billing/spend.ts': `
    const spend = { day: '', finish() {}, async abandon() {} }
    export const beginSpend = () => () => spend`,
  '/src/app/limits/rate/check-rate.ts': `
    export const checkRate = () => () => undefined
    export class RateLimitError extends Error {}`,
}

registerHooks({
  load(url, context, nextLoad) {
    const place = Object.keys(REPLACED).find((path) => url.endsWith(path))
    if (place === undefined) return nextLoad(url, context)
    return { format: 'module', shortCircuit: true, source: REPLACED[place] ?? '' }
  },
})
