import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'

const canary = 'canary-7f3a'
const secret = new Secret(canary)

test('gives the text to code that asks for it by name', () => {
  expect(secret.reveal()).toBe(canary)
})

test.each([
  ['JSON', JSON.stringify({ secret })],
  ['inspect', inspect({ deep: { secret } }, { depth: null, showHidden: true, getters: true })],
  ['a template', `${secret}`],
  ['concatenation', `x${String(secret)}`],
  ['an error', new Error(`cannot use ${secret}`).message],
  ['its keys', JSON.stringify(Object.entries(secret)) + JSON.stringify({ ...secret })],
])('does not leak through %s', (_, text) => {
  expect(text).not.toContain(canary)
})
