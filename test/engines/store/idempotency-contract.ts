import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createFunded, readMoney } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { accept, begin, DAY_MS, HELD, sampleClaim, sampleMove } from './sample-task.ts'

export function describeIdempotency(opened: GetOpened): void {
  const store = () => opened().store
  const tasks = () => store().tasks
  let number = 0
  /** Tries to begin a new task, as each repetition of a request does. */
  const attempt = (claim: Parameters<typeof sampleClaim>[0] = {}, part: { createdAtMs?: number } = {}) => {
    number += 1
    return begin(store(), { id: `task_${number}`, ...part }, { idempotency: sampleClaim(claim) })
  }
  const findReplay = (
    part: Partial<{ keyId: string; key: string; bodyDigest: string; nowMs: number }> = {},
  ) => tasks().findReplay({ keyId: 'key_1', key: 'once', bodyDigest: 'body-1', nowMs: MORNING_MS, ...part })
  const kindOf = async (...args: Parameters<typeof findReplay>) => (await findReplay(...args))?.kind

  describe('an idempotency key', () => {
    beforeEach(async () => {
      number = 0
      await createFunded(store(), { balance: 1_000 })
    })

    test('is free at first', async () => {
      expect(await findReplay()).toBeUndefined()
    })

    test('refuses a second request while the first runs', async () => {
      expect(await attempt()).toMatchObject({ kind: 'begun' })
      expect(await attempt()).toEqual({ kind: 'in-progress' })
      expect(await kindOf()).toBe('in-progress')
      expect(await tasks().findForOperator('task_2')).toBeUndefined()
      expect(await readMoney(store())).toEqual({ balance: 1_000, held: HELD })
    })

    test('refuses another body, also after the first request has ended', async () => {
      await attempt()
      expect(await attempt({ bodyDigest: 'body-2' })).toEqual({ kind: 'other-body' })
      expect(await kindOf({ bodyDigest: 'body-2' })).toBe('other-body')
      await accept(store())
      expect(await attempt({ bodyDigest: 'body-2' })).toEqual({ kind: 'other-body' })
      expect(await kindOf({ bodyDigest: 'body-2' })).toBe('other-body')
    })

    test('belongs to its task once the task is accepted', async () => {
      await attempt()
      await accept(store())
      expect(await attempt()).toEqual({ kind: 'replay' })
      expect(await findReplay()).toEqual({
        kind: 'replay',
        task: await tasks().find({ id: 'task_1', keyId: 'key_1' }),
      })
    })

    test('belongs to the task even after its end and its deletion', async () => {
      await attempt()
      await accept(store())
      await tasks().move(sampleMove('succeeded'))
      await tasks().remove({ id: 'task_1', keyId: 'key_1', atMs: MORNING_MS + 2_000 })
      expect(await attempt()).toEqual({ kind: 'replay' })
      expect(await findReplay()).toMatchObject({
        kind: 'replay',
        task: { id: 'task_1', status: 'succeeded' },
      })
    })

    test('belongs to the failed task after a lost answer', async () => {
      await attempt()
      await tasks().move(sampleMove('failed'))
      expect(await attempt()).toEqual({ kind: 'replay' })
    })

    test('is free again after an error, also for another body', async () => {
      await attempt()
      await tasks().forget({ id: 'task_1', atMs: MORNING_MS })
      expect(await findReplay()).toBeUndefined()
      expect(await attempt({ bodyDigest: 'body-2' })).toMatchObject({ kind: 'begun' })
    })

    test('stays when its task was accepted before the request to forget it', async () => {
      await attempt()
      await accept(store())
      await tasks().forget({ id: 'task_1', atMs: MORNING_MS })
      expect(await kindOf()).toBe('replay')
    })

    test('is not used up by a request without enough money', async () => {
      await attempt()
      await tasks().forget({ id: 'task_1', atMs: MORNING_MS })
      const dear = { hold: { amount: 1_001 }, idempotency: sampleClaim() }
      expect(await begin(store(), { id: 'task_dear' }, dear)).toEqual({
        kind: 'insufficient-balance',
        availableMicros: 1_000,
      })
      expect(await findReplay()).toBeUndefined()
    })

    test('of one API key has no effect for another', async () => {
      await attempt()
      expect(await findReplay({ keyId: 'key_2' })).toBeUndefined()
      expect(await findReplay({ key: 'twice' })).toBeUndefined()
      expect(await attempt({ keyId: 'key_2' })).toMatchObject({ kind: 'begun' })
    })

    test('is free after its lifetime', async () => {
      await attempt()
      await accept(store())
      const overMs = MORNING_MS + DAY_MS
      expect(await kindOf({ nowMs: overMs - 1 })).toBe('replay')
      expect(await findReplay({ nowMs: overMs })).toBeUndefined()
      expect(await attempt({}, { createdAtMs: overMs - 1 })).toEqual({ kind: 'replay' })
      expect(
        await attempt({ bodyDigest: 'body-2', expiresAtMs: overMs + 1 }, { createdAtMs: overMs }),
      ).toMatchObject({ kind: 'begun' })
      expect(await kindOf({ bodyDigest: 'body-2', nowMs: overMs })).toBe('in-progress')
    })

    test('is deleted after its lifetime, the oldest first', async () => {
      for (const [index, key] of ['c', 'a', 'b'].entries()) {
        await attempt({ key, expiresAtMs: MORNING_MS + index })
      }
      const drop = (nowMs: number, limit = 10) => tasks().dropExpiredKeys({ nowMs, limit })
      expect(await drop(MORNING_MS - 1)).toBe(0)
      expect(await drop(MORNING_MS + 1, 1)).toBe(1)
      expect(await drop(MORNING_MS + 1)).toBe(1)
      expect(await opened().runSql('select key from idempotency_keys')).toEqual([{ key: 'b' }])
    })
  })
}
