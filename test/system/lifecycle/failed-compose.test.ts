import { createClient } from '@redis/client'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../src/compose/config.ts'
import { composeGateway } from '../../../src/compose/gateway.ts'
import { passCheckpoint } from '../../../src/ports/checkpoint.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { dataFolder } from './data-folder.ts'

async function onEngines() {
  const [database, server] = await Promise.all([freshDatabase(), freshRedis()])
  const postgres = new Client({ connectionString: database.url })
  const redis = createClient({ url: server.url })
  await Promise.all([postgres.connect(), redis.connect()])
  onTestFinished(async () => {
    await Promise.all([postgres.end(), redis.close()])
    await Promise.all([database.drop(), server.close()])
  })
  const env = {
    SLUICE_SECRET: 'a secret of more than thirty-two characters',
    DATA_DIR: dataFolder(),
    DATABASE_URL: database.url,
    REDIS_URL: server.url,
  }
  return { env, postgres, redis }
}

/** A gateway on real engines, and how many of its connections these see. */
async function gatewayOnEngines() {
  const { env, postgres, redis } = await onEngines()
  const config = readConfig({ environment: { ...env, LOG_LEVEL: 'silent' }, readFile: () => '' })
  return {
    postgres,
    compose: () => composeGateway({ config, checkpoint: passCheckpoint, inCluster: false }),
    async connections() {
      const clients = await redis.clientList()
      const named = clients.filter(({ name }) => name.startsWith('sluice-'))
      const { rows } = await postgres.query(
        "select 1 from pg_stat_activity where application_name = 'sluice'",
      )
      return { redis: named.length, postgres: rows.length }
    },
  }
}

test('opened parts are closed when composing fails, and the first failure is reported', async () => {
  const { compose, connections, postgres } = await gatewayOnEngines()
  await (await compose()).close()
  await postgres.query('drop table models cascade')
  await expect(compose()).rejects.toThrow(/models/)
  await expect.poll(connections).toEqual({ redis: 0, postgres: 0 })
})

test('all other parts are closed when one part fails to close', async () => {
  const { compose, connections } = await gatewayOnEngines()
  const gateway = await compose()
  const { close } = gateway.server
  vi.spyOn(gateway.server, 'close').mockImplementation(async () => {
    await close()
    throw new Error('will not close')
  })
  await expect.poll(connections).toMatchObject({ redis: 3 })
  await gateway.close()
  await expect.poll(connections).toEqual({ redis: 0, postgres: 0 })
})
