import { expect, it } from 'vitest'
import { reachPage } from './list-assets.ts'

it.each([
  [
    { offset: 0, limit: 10, totalCount: 25 },
    { fromEnd: false, offset: 0, limit: 10 },
  ],
  [
    { offset: 10, limit: 10, totalCount: 30 },
    { fromEnd: false, offset: 10, limit: 10 },
  ],
  [
    { offset: 10, limit: 10, totalCount: 25 },
    { fromEnd: true, offset: 5, limit: 10 },
  ],
  [
    { offset: 20, limit: 10, totalCount: 25 },
    { fromEnd: true, offset: 0, limit: 5 },
  ],
  [
    { offset: 0, limit: 10, totalCount: 3 },
    { fromEnd: false, offset: 0, limit: 3 },
  ],
])('%j is reached by %j', (page, reach) => {
  expect(reachPage(page)).toEqual(reach)
})
