import { onTestFinished } from 'vitest'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'

export interface ScaledEnvironment extends Record<string, string> {
  SLUICE_SECRET: string
  DATABASE_URL: string
  REDIS_URL: string
}

/** PostgreSQL and Redis of one test, removed at its end. */
export async function scaledEnvironment(): Promise<ScaledEnvironment> {
  const [database, redis] = await Promise.all([freshDatabase(), freshRedis()])
  onTestFinished(async () => {
    await Promise.all([database.drop(), redis.close()])
  })
  return {
    SLUICE_SECRET: 'a secret of more than thirty-two characters',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
  }
}
