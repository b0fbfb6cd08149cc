import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from './data-folder.ts'

/** Real processes, on whatever machine there is. */
vi.setConfig({ testTimeout: 120_000 })

test('a store that was made with another secret is not served', async () => {
  const dataDir = dataFolder()
  const gateway = await startGateway({ env: { DATA_DIR: dataDir } })
  await gateway.stop()
  rmSync(join(dataDir, 'secret'))
  await expect(gateway.restart()).rejects.toThrow(/sealed with another SLUICE_SECRET/)
})
