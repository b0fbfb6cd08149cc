import { expect, test } from 'vitest'
import type { RouteTarget } from './model.ts'
import { routeConflict } from './route-conflict.ts'

const to = (...models: string[]): { route: RouteTarget[] } => ({
  route: models.map((model) => ({ model, weight: 1 })),
})

test.each([
  ['a target that is not there', [{ name: 'pool/m', ...to('a/m', 'c/m') }], 'c/m'],
  ['a video model', [{ name: 'pool/m', ...to('vendorA/gen-2.0') }], 'makes videos'],
  ['a target that works like a video model', [{ name: 'pool/m', ...to('d/clip') }], 'makes videos'],
  ['a target with a route', [{ name: 'pool/m', ...to('two/m') }], 'has a route itself'],
  ['two routes that name each other', [{ name: 'pool/m', ...to('back/m') }], 'name each other'],
  [
    'a route for a model that another route names',
    [{ name: 'a/m', ...to('b/m') }],
    'two/m has a route itself',
  ],
])('refuses %s', (_, [model], words) => {
  const catalog = [
    { name: 'a/m' },
    { name: 'b/m' },
    { name: 'vendorA/gen-2.0' },
    { name: 'd/clip', likeModel: 'vendorA/gen-2.0' },
    { name: 'two/m', ...to('b/m') },
    { name: 'back/m', ...to('pool/m') },
    { name: 'over/m', ...to('a/m') },
  ].filter(({ name }) => name !== model?.name)
  const reported = model && routeConflict(model, [...catalog, model])
  expect(reported).toMatchObject({ code: 'invalid_parameter', param: 'route' })
  expect(reported?.message).toContain(words.replace('two/m has', 'a/m in the route of over/m has'))
})

test('accepts a route to models of providers', () => {
  const model = { name: 'pool/m', ...to('a/m', 'b/m') }
  expect(routeConflict(model, [{ name: 'a/m' }, { name: 'b/m' }, model])).toBeUndefined()
  expect(routeConflict({ name: 'a/m' }, [model, { name: 'a/m' }])).toBeUndefined()
})
