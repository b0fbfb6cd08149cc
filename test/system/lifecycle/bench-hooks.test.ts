import { expect, test } from 'vitest'
import { startGateway } from '../../../bench/gateway.ts'

const HOOKS = new URL('../../../bench/text/', import.meta.url)

// A hook ends its gateway when the source no longer contains what it takes out.
test.each(['without-money.ts', 'without-request-log.ts', 'without-rollups.ts'])(
  'a gateway starts with %s, which takes a part out for a benchmark',
  async (file) => {
    const environment = { NODE_OPTIONS: `--import=${new URL(file, HOOKS)}` }
    const gateway = await startGateway({ environment })
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    await gateway.stop()
  },
)
