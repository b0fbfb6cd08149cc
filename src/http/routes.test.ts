import { expect, test } from 'vitest'
import { OPERATIONS } from './routes.ts'

test('every operation has its own id and path', () => {
  const ids = OPERATIONS.map(({ id }) => id)
  const places = OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(places).size).toBe(places.length)
})
