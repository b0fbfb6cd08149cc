import { describe } from 'vitest'
import { describeCache } from './cache-contract.ts'
import { CACHE_ENGINES } from './cache-engine.ts'

describe.each(Object.entries(CACHE_ENGINES))('the cache on %s', (_name, openEngine) => {
  describeCache(openEngine)
})
