import { expect, test } from 'vitest'
import { createHostShares } from './deliver-message.ts'

test('a host has one share for all paths and ports, and another host its own', () => {
  const shares = createHostShares(2)
  const leave = shares.enter('https://one.example/a')
  expect(shares.enter('https://one.example:8443/b')).toBeDefined()
  expect(shares.enter('https://ONE.example/c')).toBeUndefined()
  expect(shares.enter('https://two.example/')).toBeDefined()
  leave?.()
  expect(shares.enter('https://one.example/c')).toBeDefined()
  expect(shares.enter('https://one.example/d')).toBeUndefined()
})
