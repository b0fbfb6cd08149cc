import { expect, test } from 'vitest'
import { nextSorting, sortingOf, sortRows } from './sort-rows.ts'

test('sorting a column cycles through both directions and off; numbers begin with the largest', () => {
  const steps = (isNumber: boolean) => {
    const first = nextSorting('other', 'cost', isNumber)
    const second = nextSorting(first, 'cost', isNumber)
    return [first, second, nextSorting(second, 'cost', isNumber)]
  }
  expect(steps(true)).toEqual(['-cost', 'cost', undefined])
  expect(steps(false)).toEqual(['cost', '-cost', undefined])
})

test('a sorting names the column and the direction', () => {
  expect(sortingOf('-cost')).toEqual({ column: 'cost', isDescending: true })
  expect(sortingOf('name')).toEqual({ column: 'name', isDescending: false })
  expect(sortingOf(undefined)).toBeUndefined()
  expect(sortingOf('-')).toBeUndefined()
})

test('numbers sort by size, names ignore case and compare their digits as numbers, and empty values come last', () => {
  const sort = (values: (string | number | null)[], isDescending = false) =>
    sortRows(values, (value) => value, { isDescending, locale: 'en' })
  expect(sort([10, 9, null, 100])).toEqual([9, 10, 100, null])
  expect(sort([10, 9, null, 100], true)).toEqual([100, 10, 9, null])
  expect(sort(['wharf 10', 'Wharf 9', 'acme'])).toEqual(['acme', 'Wharf 9', 'wharf 10'])
})
