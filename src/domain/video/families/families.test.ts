import { expect, test } from 'vitest'
import { builtInModels } from '../../catalog/built-in.ts'
import { FAMILY_MODEL_NAMES, videoModelOf } from './families.ts'

test('the video models are those of the built-in catalog', () => {
  const names = builtInModels(0).map(({ name }) => name)
  const video = names.filter((name) => name.startsWith('vendorA/') || name.startsWith('vendorB/'))
  expect(FAMILY_MODEL_NAMES).toEqual(video)
})

test.each([
  '',
  'gen-2.0',
  'vendorA/GEN-2.0',
  ' vendorA/gen-2.0',
  'vendorC/model-4.1',
  '__proto__',
  'toString',
])('%j is no video model', (name) => {
  expect(videoModelOf({ name })).toBeUndefined()
})
