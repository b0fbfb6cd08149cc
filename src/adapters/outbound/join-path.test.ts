import { describe, expect, it } from 'vitest'
import { joinPath } from './join-path.ts'

const base = new URL('https://vendor.example/api/v3/')

describe('joinPath', () => {
  it.each([
    ['/tasks', '/api/v3/tasks'],
    ['/tasks/a%2Fb', '/api/v3/tasks/a%2Fb'],
    ['/tasks?limit=1', '/api/v3/tasks?limit=1'],
    ['/tasks/../files', '/api/v3/files'],
    ['//evil.example/x', '/api/v3//evil.example/x'],
    ['/\\evil.example', '/api/v3//evil.example'],
    ['/@evil.example', '/api/v3/@evil.example'],
    ['https://vendor.example/other/1?page=2', '/other/1?page=2'],
    ['HTTPS://VENDOR.example:443/other', '/other'],
  ])('%s -> %s', (path, expected) => {
    expect(joinPath(base, path)).toBe(expected)
  })

  it('adds the query to what the path has', () => {
    expect(joinPath(base, '/tasks?a=1', { 'b c': 'd&e' })).toBe('/api/v3/tasks?a=1&b+c=d%26e')
  })

  it('works without a path in the base', () => {
    expect(joinPath(new URL('http://127.0.0.1:9000'), '/v1/x')).toBe('/v1/x')
  })

  it.each([
    ['https://evil.example/api/v3/tasks', 'origin'],
    ['http://vendor.example/api/v3/tasks', 'origin'],
    ['https://vendor.example:8443/x', 'origin'],
    ['https://user:pass@vendor.example/x', 'origin'],
    ['https://vendor.example@evil.example/x', 'origin'],
    ['/../tasks', 'above'],
    ['/%2e%2e/tasks', 'above'],
    ['/x/../../../admin', 'above'],
    ['/../v30/tasks', 'above'],
    ['tasks', 'slash'],
    ['', 'slash'],
    ['@evil.example', 'slash'],
    ['.evil.example/x', 'slash'],
    ['https://', 'not a path'],
  ])('refuses %j (%s)', (path, reason) => {
    expect(() => joinPath(base, path)).toThrow(
      expect.objectContaining({ kind: 'forbidden', message: expect.stringContaining(reason) }),
    )
  })
})
