import { expect, test } from 'vitest'
import { readCatalog } from '../../../test/catalog/read-catalog.ts'

const rowOf = (members: string, name = 'vendorA/gen-2.0') =>
  readCatalog(`models:\n  - { model_id: 1, name: ${name}, ${members} }\n`)

test('bounds of a row and of a mode', () => {
  const { entries, faults } = rowOf(
    'bounds: { duration: [4, 15], resolution: [480P, 720p], ratio: ["16:9"], modes: { image-to-video: { duration: [5, 10], images: [1, 9] } } }, watermark: client',
  )
  expect(faults).toEqual([])
  expect(entries[0]).toMatchObject({
    bounds: {
      ...{ duration: [4, 15], resolution: ['480p', '720p'], ratio: ['16:9'] },
      modes: { 'image-to-video': { duration: [5, 10], images: [1, 9] } },
    },
    watermark: 'client',
  })
})

test('an empty mapping removes the bounds, and a row without the key keeps them', () => {
  expect(rowOf('bounds: {}').entries[0]).toMatchObject({ bounds: {} })
  expect(rowOf('watermark: off').entries[0]).toMatchObject({ bounds: undefined, watermark: 'off' })
})

test.each([
  ['bounds: { durations: [4, 15] }', /Did you mean duration\?/],
  ['bounds: { duration: 15 }', /it is not a list/],
  ['bounds: { duration: [15, 4] }', /it is not the least and the most/],
  ['bounds: { duration: [4] }', /it is not the least and the most/],
  ['bounds: { duration: [3, 15] }', /is below 4/],
  ['bounds: { ratio: ["16:10"] }', /Use one of 16:9, 9:16, 1:1/],
  ['bounds: { resolution: [720] }', /Write 720p/],
  ['bounds: { resolution: [] }', /it is empty/],
  ['bounds: { modes: { image-to-vide: {} } }', /Did you mean image-to-video\?/],
  ['bounds: { modes: { omni-video: {} } }', /The keys here are text-to-video/],
  ['bounds: { modes: { text-to-video: { dration: [4, 5] } } }', /Did you mean duration\?/],
  ['bounds: [4, 15]', /it is not a mapping/],
  ['watermark: clients', /Did you mean client\?/],
])('refuses %s', (members, words) => {
  const { faults } = rowOf(members)
  expect(faults.join(' ')).toMatch(words)
})

test('each family has its own modes', () => {
  expect(rowOf('bounds: { modes: { omni-video: { tags: [1, 7] } } }', 'vendorB/gen-v4-std').faults).toEqual(
    [],
  )
})
