import { expect, test, vi } from 'vitest'
import { walkMembers } from './walk-members.ts'

function membersOf(value: unknown): [name: string, value: unknown][] {
  const json = JSON.stringify(value)
  const members: [string, unknown][] = []
  const closing = walkMembers(json, 0, (name, start, end) => {
    members.push([name, JSON.parse(json.slice(start, end))])
    return false
  })
  expect(closing).toBe(json.length - 1)
  return members
}

test.each([
  ['many quotes', '"'.repeat(1_000)],
  ['quotes with a backslash before each', '\\"'.repeat(500)],
  ['backslashes', '\\'.repeat(999)],
  ['quotes, then a long text, then quotes', `${'"'.repeat(70)}${'a'.repeat(500)}${'"'.repeat(70)}`],
  ...Array.from({ length: 70 }, (_, at): [string, string] => [
    `quotes and ${at} letters before a backslash`,
    `""${'a'.repeat(at)}\\`,
  ]),
])('a string with %s ends where it ends', (_what, text) => {
  expect(membersOf({ a: text, b: [{ c: text }], d: 1 })).toEqual([
    ['a', text],
    ['b', [{ c: text }]],
    ['d', 1],
  ])
})

test('many escaped quotes are not searched for one by one', () => {
  const searches = vi.spyOn(String.prototype, 'indexOf')
  const json = JSON.stringify({ a: '"'.repeat(100_000), b: '"a'.repeat(100_000) })
  walkMembers(json, 0, () => false)
  const { length } = searches.mock.calls
  searches.mockRestore()
  expect(length).toBeLessThan(20_000)
})
