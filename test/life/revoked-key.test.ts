import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { freshDatabase } from '../servers/fresh-database.ts'
import { freshRedis } from '../servers/fresh-redis.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { makeTenant, runSluice } from './run-sluice.ts'

const SLUICE_SECRET = 'a secret of more than thirty-two characters'

async function environments(): Promise<Record<string, Record<string, string>>> {
  const [alone, shared, redis] = await Promise.all([freshDatabase(), freshDatabase(), freshRedis()])
  onTestFinished(async () => {
    await Promise.all([alone.drop(), shared.drop(), redis.close()])
  })
  return {
    embedded: { DATA_DIR: dataFolder() },
    'PostgreSQL alone': { SLUICE_SECRET, DATABASE_URL: alone.url },
    'PostgreSQL and Redis': { SLUICE_SECRET, DATABASE_URL: shared.url, REDIS_URL: redis.url },
  }
}

test('a key revoked by the command line ends on every replica', async () => {
  for (const [name, env] of Object.entries(await environments())) {
    const replicas = await Promise.all(
      Array.from({ length: 'DATA_DIR' in env ? 1 : 2 }, () => startGateway({ env })),
    )
    onTestFinished(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()))
    })
    const { keyId, key } = await makeTenant(env)
    const statuses = () =>
      Promise.all(replicas.map(async ({ baseUrl }) => (await call(`${baseUrl}/v1/models`, key)).status))

    expect(await statuses(), name).toEqual(replicas.map(() => 200))
    await runSluice(['key', 'revoke', keyId], env)
    await expect.poll(statuses, { message: name }).toEqual(replicas.map(() => 401))
  }
}, 120_000)
