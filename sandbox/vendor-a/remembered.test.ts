import { expect, it } from 'vitest'
import { createRemembered } from './remembered.ts'

it('keeps the newest', () => {
  const remembered = createRemembered<number>({ idsMax: 2 })
  remembered.set('a', 1)
  remembered.set('b', 2)
  remembered.set('a', 3)
  remembered.set('c', 4)
  expect(remembered.ids()).toEqual(['c', 'a'])
  expect([remembered.get('a'), remembered.get('b'), remembered.get('c')]).toEqual([3, undefined, 4])
})
