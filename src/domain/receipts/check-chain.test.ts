import { expect, test } from 'vitest'
import { type ChainLink, checkChain } from './check-chain.ts'

function chain(length: number, organizationId = 'org_1'): ChainLink[] {
  return Array.from({ length }, (_, index) => ({
    organizationId,
    number: index + 1,
    previous: index === 0 ? null : `${organizationId} ${index}`,
    hash: `${organizationId} ${index + 1}`,
  }))
}

test('a chain and a part of a chain are valid', () => {
  expect(checkChain(chain(5))).toEqual([])
  expect(checkChain(chain(5).slice(2))).toEqual([])
  expect(checkChain([])).toEqual([])
})

test('receipts of two organizations may be mixed', () => {
  const [one, other] = [chain(3), chain(3, 'org_2')]
  expect(checkChain(one.flatMap((link, index) => [link, other[index] ?? link]))).toEqual([])
})

test.each([1, 2, 3])('a removed receipt is named: number %i + 1', (index) => {
  const missing = { kind: 'missing', organizationId: 'org_1', from: index + 1, to: index + 1 }
  expect(checkChain(chain(5).toSpliced(index, 1))).toEqual([missing])
})

test('several removed receipts are one gap', () => {
  expect(checkChain(chain(9).toSpliced(2, 4))).toEqual([
    { kind: 'missing', organizationId: 'org_1', from: 3, to: 6 },
  ])
})

test.each([0, 1, 2, 3])('two swapped neighbours are named: from %i', (index) => {
  const links = chain(5)
  const swapped = links.with(index, links[index + 1] as ChainLink).with(index + 1, links[index] as ChainLink)
  expect(checkChain(swapped)).toEqual([{ kind: 'out-of-order', organizationId: 'org_1', number: index + 1 }])
})

test('a duplicate receipt is named', () => {
  const links = chain(3)
  expect(checkChain([...links, ...links.slice(1, 2)])).toEqual([
    { kind: 'out-of-order', organizationId: 'org_1', number: 2 },
  ])
})

test('a replacement with another signed receipt is named', () => {
  const links = chain(4)
  const other = { ...links[1], hash: 'of another' } as ChainLink
  expect(checkChain(links.with(1, other))).toEqual([
    { kind: 'not-linked', organizationId: 'org_1', number: 3 },
  ])
})

test('only the first receipt has no predecessor', () => {
  const [first, second] = chain(2) as [ChainLink, ChainLink]
  const notLinked = { kind: 'not-linked', organizationId: 'org_1' }
  expect(checkChain([{ ...first, previous: 'x' }])).toEqual([{ ...notLinked, number: 1 }])
  expect(checkChain([{ ...second, previous: null }])).toEqual([{ ...notLinked, number: 2 }])
})
