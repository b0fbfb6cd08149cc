import { expect, test } from 'vitest'
import { areaOfPath } from './area-of-path.ts'

test.each([
  ['', 'video'],
  ['/', 'video'],
  ['/v1/messages', 'messages'],
  ['/v1/messages?beta=true', 'messages'],
  ['/v1/messages/count_tokens', 'messages'],
  ['/v1/responses/x', 'responses'],
  ['/v1/chat/completions', 'chat'],
  ['/admin', 'admin'],
  ['/%61dmin/x', 'admin'],
  ['/%61DMIN%2fx', 'admin'],
  ['///admin//x', 'admin'],
  ['https://host:1/admin/x', 'admin'],
  ['/x?y=/admin', 'video'],
  ['/x#/admin', 'video'],
  ['?/admin', 'video'],
  ['/%zz/admin', 'video'],
  ['/%61dmin/%zz', 'admin'],
  ['/administrator', 'video'],
  ['/v1/messagesx', 'video'],
  ['/v1/video/generations', 'video'],
  ['admin', 'video'],
])('%s is in %s', (target, area) => {
  expect(areaOfPath(target)).toBe(area)
})
