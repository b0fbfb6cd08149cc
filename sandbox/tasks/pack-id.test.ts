import { expect, it } from 'vitest'
import { fc } from '../../test/random/properties.ts'
import { packId, unpackId } from './pack-id.ts'

it('restores the packed values', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean())), (values) => {
      const id = packId('cgt-', values)
      expect(id).toMatch(/^cgt-[\w-]+$/)
      expect(unpackId('cgt-', id)).toEqual(values)
    }),
  )
})

it('refuses any other id', () => {
  const id = packId('cgt-', [1, 'a'])
  const others = [
    '',
    'cgt-',
    'cgt-20300102-abcde',
    id.slice(0, -1),
    `${id}A`,
    id.replace('cgt-', 'vb-'),
    id.toLowerCase(),
  ]
  for (const other of others) expect(unpackId('cgt-', other)).toBeUndefined()
  expect(unpackId('vb-', id)).toBeUndefined()
})
