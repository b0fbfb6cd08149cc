import { expect, test } from 'vitest'
import { builtInModels } from '../../catalog/built-in.ts'
import { FAMILIES, videoModelOf } from './families.ts'

test('the models of families A and B are the video models of the built-in catalog', () => {
  const names = builtInModels(0).map(({ name }) => name)
  const video = names.filter((name) => name.startsWith('vendorA/') || name.startsWith('vendorB/'))
  expect([...FAMILIES.a.models.keys(), ...FAMILIES.b.models.keys()]).toEqual(video)
})

test.each([
  '',
  'gen-2.0',
  'vendorA/GEN-2.0',
  ' vendorA/gen-2.0',
  'vendorC/model-4.1',
  '__proto__',
  'toString',
])('%j is not a video model', (name) => {
  expect(videoModelOf({ name })).toBeUndefined()
})
