import { expect, test } from 'vitest'
import { readApiKey } from './authenticate.ts'

test.each([
  [{}, undefined, undefined],
  [{ authorization: 'Bearer a' }, 'a', 'a'],
  [{ authorization: 'bEaReR   a' }, 'a', 'a'],
  [{ authorization: 'Bearer a b' }, undefined, undefined],
  [{ authorization: 'Basic a' }, undefined, undefined],
  [{ 'x-api-key': 'a' }, undefined, 'a'],
  [{ 'x-api-key': ['a', 'b'] }, undefined, undefined],
  [{ 'x-api-key': 'a', authorization: 'Bearer a' }, 'a', 'a'],
  [{ 'x-api-key': 'a', authorization: 'Bearer b' }, 'b', undefined],
  [{ 'x-api-key': 'a', authorization: 'Basic b' }, undefined, undefined],
])('%o presents %s for video and %s for text', (headers, forVideo, forText) => {
  const rawHeaders = Object.entries(headers).flat().map(String)
  expect(readApiKey({ headers, rawHeaders }, 'video')).toBe(forVideo)
  expect(readApiKey({ headers, rawHeaders }, 'messages')).toBe(forText)
  expect(readApiKey({ headers, rawHeaders }, 'responses')).toBe(forText)
})
