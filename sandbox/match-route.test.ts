import { describe, expect, it } from 'vitest'
import { matchRoute } from './match-route.ts'
import { jsonReply, type SandboxPart, type SandboxRoute } from './part.ts'

function route(fields: Omit<SandboxRoute, 'handle'>): SandboxRoute {
  return { ...fields, handle: () => jsonReply(200, {}) }
}

const PARTS: SandboxPart[] = [
  {
    name: 'vendor-a',
    routes: [
      route({ operation: 'create', method: 'POST', path: '/tasks' }),
      route({ operation: 'get', method: 'GET', path: '/tasks/:id' }),
      route({ operation: 'CreateAsset', method: 'POST', path: '/', query: { Action: 'CreateAsset' } }),
      route({ operation: 'GetAsset', method: 'POST', path: '/', query: { Action: 'GetAsset' } }),
    ],
  },
]

function find(method: string, path: string, query = '') {
  const match = matchRoute(PARTS, { method, path, query: new URLSearchParams(query) })
  return match && [match.route.operation, match.params]
}

describe('matchRoute', () => {
  it('finds a route by method and path', () => {
    expect(find('POST', '/vendor-a/tasks')).toEqual(['create', {}])
    expect(find('GET', '/vendor-a/tasks/cgt-1')).toEqual(['get', { id: 'cgt-1' }])
  })

  it('decodes parameters', () => {
    expect(find('GET', '/vendor-a/tasks/a%2Fb')).toEqual(['get', { id: 'a/b' }])
  })

  it('distinguishes actions in the query', () => {
    expect(find('POST', '/vendor-a/', 'Action=GetAsset')).toEqual(['GetAsset', {}])
    expect(find('POST', '/vendor-a', 'Action=CreateAsset')).toEqual(['CreateAsset', {}])
    expect(find('POST', '/vendor-a/', 'Action=Other')).toBeUndefined()
  })

  it('finds nothing for a request that only resembles a route', () => {
    expect(find('GET', '/vendor-a/tasks')).toBeUndefined()
    expect(find('GET', '/vendor-a/tasks/')).toBeUndefined()
    expect(find('GET', '/vendor-a/tasks/%zz')).toBeUndefined()
    expect(find('GET', '/vendor-ab/tasks/1')).toBeUndefined()
    expect(find('POST', '/tasks')).toBeUndefined()
  })
})
