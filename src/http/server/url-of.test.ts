import { expect, test } from 'vitest'
import { urlOf } from './url-of.ts'

test('every kind of host makes a URL with that host and port', () => {
  const made = ['127.0.0.1', 'localhost', '::1', '2001:db8::7'].map((host) => urlOf({ host, port: 8080 }))
  expect(made).toEqual([
    'http://127.0.0.1:8080',
    'http://localhost:8080',
    'http://[::1]:8080',
    'http://[2001:db8::7]:8080',
  ])
  for (const url of made) expect(new URL(url).port).toBe('8080')
})
