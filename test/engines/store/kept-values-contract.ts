import { describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeKeptValues(opened: GetOpened): void {
  const values = () => opened().store.keptValues
  const find = (key: string, nowMs = MORNING_MS) => values().find({ key, nowMs })
  const keep = (key: string, value: string, expiresAtMs = MORNING_MS + 1_000, bytesMax?: number) => {
    const share = bytesMax === undefined ? undefined : { name: 'share', bytesMax }
    return values().keep({ key, value, expiresAtMs, share })
  }

  describe('kept values', () => {
    test('are found until their end, and the last value counts', async () => {
      await keep('one', 'first')
      await keep('one', 'second', MORNING_MS + 10)
      expect(await find('one')).toBe('second')
      expect(await find('one', MORNING_MS + 9)).toBe('second')
      expect(await find('one', MORNING_MS + 10)).toBeUndefined()
      expect(await find('two')).toBeUndefined()
    })

    test('are removed; a missing value is no error', async () => {
      await keep('one', 'first')
      await values().remove('one')
      await values().remove('one')
      expect(await find('one')).toBeUndefined()
    })

    test('evict the oldest of their own share, and nothing else', async () => {
      const text = 'x'.repeat(1_000)
      await keep('apart', text)
      for (const at of [1, 2, 3, 4]) await keep(`share ${at}`, text, MORNING_MS + at, 3_900)
      expect(await find('share 1', MORNING_MS)).toBeUndefined()
      expect([await find('share 2'), await find('share 3'), await find('share 4')]).toEqual([
        text,
        text,
        text,
      ])
      expect(await find('apart')).toBe(text)
    })

    test('that were removed free their room', async () => {
      const text = 'x'.repeat(1_000)
      for (const at of [1, 2, 3]) await keep(`share ${at}`, text, MORNING_MS + at, 3_900)
      for (const at of [1, 2]) await values().remove(`share ${at}`)
      for (const at of [4, 5]) await keep(`share ${at}`, text, MORNING_MS + at, 3_900)
      expect([await find('share 3'), await find('share 4'), await find('share 5')]).toEqual([
        text,
        text,
        text,
      ])
    })

    test('that are written again count once, with their new size', async () => {
      for (let turn = 0; turn < 5; turn += 1) await keep('share 1', 'x'.repeat(1_000), MORNING_MS + 1, 3_900)
      await keep('share 1', 'small', MORNING_MS + 1, 3_900)
      for (const at of [2, 3]) await keep(`share ${at}`, 'x'.repeat(1_000), MORNING_MS + at, 3_900)
      expect(await find('share 1')).toBe('small')
    })

    test('are removed with their share, and nothing else', async () => {
      await keep('apart', 'text')
      for (const at of [1, 2]) await keep(`share ${at}`, 'text', MORNING_MS + at, 3_900)
      await values().removeShare('share')
      await values().removeShare('share')
      expect([await find('share 1'), await find('share 2'), await find('apart')]).toEqual([
        undefined,
        undefined,
        'text',
      ])
    })

    test('that are larger than their share are not kept', async () => {
      await keep('large', 'small', MORNING_MS + 1, 1_000)
      await keep('large', 'x'.repeat(1_000), MORNING_MS + 1, 1_000)
      expect(await find('large')).toBeUndefined()
    })

    test('are dropped after their end, a limited number at a time', async () => {
      for (const key of ['one', 'two', 'three']) await keep(key, 'text', MORNING_MS)
      await keep('four', 'text')
      expect(await values().dropExpired({ nowMs: MORNING_MS, limit: 2 })).toBe(2)
      expect(await values().dropExpired({ nowMs: MORNING_MS, limit: 2 })).toBe(1)
      expect(await find('four')).toBe('text')
    })
  })
}
