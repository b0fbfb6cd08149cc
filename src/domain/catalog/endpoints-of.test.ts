import { expect, test } from 'vitest'
import { endpointsOf } from './endpoints-of.ts'

test('a model like a video model has no text endpoint, even if its row lists one', () => {
  const row = { name: 'acme/own', likeModel: 'vendorB/gen-v3' }
  expect(endpointsOf({ ...row, endpoints: null })).toEqual([])
  expect(endpointsOf({ ...row, endpoints: ['messages'] })).toEqual([])
})

test.each([
  ['vendorA/gen-2.0', null, []],
  ['vendorB/gen-v3', null, []],
  ['vendorC/model-4.1', null, ['messages', 'responses', 'chat']],
  ['vendorD/text-large', null, ['messages', 'chat']],
  ['vendorD/text-small', null, ['messages', 'chat']],
  ['vendorD/own', null, ['messages', 'responses', 'chat']],
  ['acme/own', null, ['messages', 'responses', 'chat']],
  ['vendorC/model-4.1', ['messages'], ['messages']],
  ['acme/own', ['responses'], ['responses']],
  ['vendorC/hidden', [], []],
] as const)('%s with %j is offered on %j', (name, endpoints, offered) => {
  expect(endpointsOf({ name, endpoints })).toEqual(offered)
})
