import { describe, expect, it } from 'vitest'
import { pathJoiner } from './join-path.ts'

const joinPath = pathJoiner(new URL('https://vendor.example/api/v3/'))

describe('pathJoiner', () => {
  it.each([
    ['/tasks', '/api/v3/tasks'],
    ['/v1/chat/completions', '/api/v3/v1/chat/completions'],
    ['/a.b/c-d_e/', '/api/v3/a.b/c-d_e/'],
    ['/.hidden/x', '/api/v3/.hidden/x'],
    ['/a/./b', '/api/v3/a/b'],
    ['/é', '/api/v3/%C3%A9'],
    ['/tasks/a%2Fb', '/api/v3/tasks/a%2Fb'],
    ['/tasks?limit=1', '/api/v3/tasks?limit=1'],
    ['/tasks/../files', '/api/v3/files'],
    ['//evil.example/x', '/api/v3//evil.example/x'],
    ['/\\evil.example', '/api/v3//evil.example'],
    ['/@evil.example', '/api/v3/@evil.example'],
    ['https://vendor.example/other/1?page=2', '/other/1?page=2'],
    ['HTTPS://VENDOR.example:443/other', '/other'],
  ])('%s -> %s', (path, expected) => {
    expect(joinPath(path)).toBe(expected)
  })

  it('adds the query to the query of the path', () => {
    expect(joinPath('/tasks?a=1', { 'b c': 'd&e' })).toBe('/api/v3/tasks?a=1&b+c=d%26e')
  })

  it('works without a path in the base', () => {
    expect(pathJoiner(new URL('http://127.0.0.1:9000'))('/v1/x')).toBe('/v1/x')
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
    expect(() => joinPath(path)).toThrow(
      expect.objectContaining({ kind: 'forbidden', message: expect.stringContaining(reason) }),
    )
  })
})
