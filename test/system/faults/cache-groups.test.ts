import { describe, vi } from 'vitest'
import { describeCache } from '../../engines/cache/cache-contract.ts'
import { openRedisEngine } from '../../engines/cache/cache-engine.ts'
import { startRedisCluster, startRedisWithSentinels } from '../../servers/redis-groups.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe('the cache on Redis behind Sentinel', () => {
  describeCache(async () => {
    const group = await startRedisWithSentinels()
    return openRedisEngine(group.url, group.remove)
  })
})

describe('the cache on a Redis Cluster', () => {
  describeCache(
    async () => {
      const group = await startRedisCluster()
      return openRedisEngine(group.url, group.remove)
    },
    { isNewsOrdered: false },
  )
})
