import { describe, expect, test } from 'vitest'
import type { Model } from '../../../src/domain/catalog/model.ts'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS } from './sample-rows.ts'

const MODELS: Model[] = [
  {
    modelId: 10,
    name: 'vendorC/ten',
    endpoints: ['messages', 'responses'],
    maxOutputTokens: 32_768,
    createdAtMs: MORNING_MS,
  },
  { modelId: 2, name: 'vendorA/two', endpoints: null, maxOutputTokens: null, createdAtMs: MORNING_MS },
  { modelId: 3, name: 'vendorB/three', endpoints: [], maxOutputTokens: null, createdAtMs: MORNING_MS },
]

export function describeModels(opened: GetOpened): void {
  const models = () => opened().store.models

  describe('models', () => {
    test('fill an empty store and come back by number', async () => {
      expect(await models().list()).toEqual([])
      expect(await models().fillWhenEmpty(MODELS)).toBe(true)
      expect(await models().list()).toStrictEqual([MODELS[1], MODELS[2], MODELS[0]])
    })

    test('leave a store alone that has one', async () => {
      await opened().runSql("insert into models (model_id, name, created_at_ms) values (1, 'vendorX/own', 5)")
      expect(await models().fillWhenEmpty(MODELS)).toBe(false)
      expect((await models().list()).map(({ name }) => name)).toEqual(['vendorX/own'])
    })

    test('are not filled with nothing', async () => {
      expect(await models().fillWhenEmpty([])).toBe(false)
    })

    test('are filled once when twenty programs start together', async () => {
      const filled = await Promise.all(Array.from({ length: 20 }, () => models().fillWhenEmpty(MODELS)))
      expect(filled.filter(Boolean)).toHaveLength(1)
      expect(await models().list()).toHaveLength(MODELS.length)
    })

    test('are filled whole or not at all', async () => {
      await expect(models().fillWhenEmpty([...MODELS, ...MODELS])).rejects.toThrow()
      expect(await models().list()).toEqual([])
    })

    test.each([
      ['not json', null],
      ['"messages"', null],
      ['["messages", "telepathy", 7]', ['messages']],
    ])('with endpoints spelled %s by hand are still listed', async (spelled, endpoints) => {
      await opened().runSql(
        `insert into models (model_id, name, endpoints, created_at_ms) values (1, 'vendorC/one', '${spelled}', 5)`,
      )
      expect(await models().list()).toMatchObject([{ name: 'vendorC/one', endpoints }])
    })
  })
}
