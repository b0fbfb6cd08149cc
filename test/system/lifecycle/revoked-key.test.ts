import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { makeTenant, runSluice } from './run-sluice.ts'
import { scaledEnvironment } from './scaled-environment.ts'

async function environments(): Promise<Record<string, Record<string, string>>> {
  const { REDIS_URL: _, ...alone } = await scaledEnvironment()
  return {
    embedded: { DATA_DIR: dataFolder() },
    'PostgreSQL alone': alone,
    'PostgreSQL and Redis': await scaledEnvironment(),
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
}, 300_000)
