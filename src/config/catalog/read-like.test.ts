import { expect, test } from 'vitest'
import { readCatalog } from '../../../test/catalog/read-catalog.ts'
import { FAMILY_MODEL_NAMES } from '../../domain/video/families/families.ts'

test('a model can be like a model of a family', () => {
  const { entries, faults } = readCatalog(
    'models: [{ model_id: 10, name: acme/film, like: vendorB/gen-v4-std }]',
  )
  expect(faults).toEqual([])
  expect(entries).toMatchObject([{ name: 'acme/film', likeModel: 'vendorB/gen-v4-std' }])
})

test.each([
  [
    'models: [{ model_id: 1, name: acme/x, like: vendorB/gen-v5 }]',
    `catalog.yaml:1:45 models.0.like: "vendorB/gen-v5" is not one of the known words. Did you mean vendorB/gen-v3? Use one of ${FAMILY_MODEL_NAMES.join(', ')}.`,
  ],
  [
    'models: [{ model_id: 5, name: vendorB/gen-v3, like: vendorB/gen-v4-std }]',
    'catalog.yaml:1:53 models.0.like: vendorB/gen-v3 is a video model that Sluice knows. Leave it out, or give the model another name.',
  ],
  [
    'models: [{ model_id: 1, name: acme/x, like: vendorB/gen-v3, endpoints: [messages] }]',
    'catalog.yaml:1:72 models.0.endpoints: it means nothing for acme/x, which makes videos. Leave it out: only text models have endpoints.',
  ],
  [
    'models: [{ model_id: 1, name: acme/x, like: vendorB/gen-v3, fallbacks: [acme/y] }]',
    'catalog.yaml:1:73 models.0.fallbacks.0: acme/x makes videos. Leave it out: only text models can replace each other.',
  ],
])('%s', (source, message) => {
  expect(readCatalog(source)).toEqual({ entries: [], faults: [message] })
})
