import { expect, test } from 'vitest'
import { endpointsOf } from './endpoints-of.ts'

test.each([
  ['vendorA/gen-2.0', null, []],
  ['vendorB/gen-v3', null, []],
  ['vendorC/model-4.1', null, ['messages', 'responses']],
  ['vendorD/text-large', null, ['messages']],
  ['acme/own', null, ['messages']],
  ['vendorC/model-4.1', ['messages'], ['messages']],
  ['acme/own', ['responses'], ['responses']],
  ['vendorC/hidden', [], []],
] as const)('%s with %j is offered on %j', (name, endpoints, offered) => {
  expect(endpointsOf({ name, endpoints })).toEqual(offered)
})
