import { expect, it } from 'vitest'
import { ASSET_MOVES_FROM, ASSET_STATUSES, assetStatusOf } from './asset.ts'

it.each([
  ['Processing', 'processing'],
  ['Active', 'active'],
  ['ACTIVE', 'active'],
  ['failed', 'failed'],
  ['Reviewing', 'processing'],
  ['', 'processing'],
])('the status %j means %s', (word, status) => {
  expect(assetStatusOf(word)).toBe(status)
})

it('never leaves a final state, and never goes back', () => {
  for (const to of ASSET_STATUSES) {
    const from: readonly string[] = ASSET_MOVES_FROM[to]
    expect(from).toEqual(to === 'processing' ? [] : ['processing'])
  }
})
