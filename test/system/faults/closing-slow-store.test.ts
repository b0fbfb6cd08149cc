import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectPriced, openTextWorld } from './text-world.ts'

/** Longer than a process needs for closing without the time that is left of its grace. */
const LOCKED_MS = 7_000

test('a store that cannot write for 7 s while the server stops: the usage is written within the grace', {
  timeout: 120_000,
}, async () => {
  const world = await openTextWorld({ SHUTDOWN_GRACE_MS: '30000', SHUTDOWN_NOT_READY_MS: '0' })
  try {
    const { begun, ended } = world.open(0, '[count 20] [pace 50]')
    await begun
    const left = world.gateway.kill('SIGTERM')
    {
      using other = new DatabaseSync(join(world.books.env.DATA_DIR ?? '', 'sluice.db'), { timeout: 5_000 })
      other.exec('begin immediate')
      await ended
      await delay(LOCKED_MS)
      other.exec('commit')
    }
    expect(await left).toEqual({ code: 0, signal: null })
    expect(await world.books.rows('select id from text_usage')).toHaveLength(1)
    await expectPriced(world)
    await world.gateway.restart()
    await world.expectSoundLedger()
  } finally {
    await world.close()
  }
})
