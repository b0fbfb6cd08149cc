import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readScript, WORDS } from './read-script.ts'

it('finds words with their numbers', () => {
  expect(readScript('a [reason] b [pace 50] [fail] [cut 3] [cut 9]')).toEqual({
    words: new Map<string, number | undefined>([
      ['reason', undefined],
      ['pace', 50],
      ['fail', undefined],
      ['cut', 3],
    ]),
    calls: [],
    write: undefined,
    rest: 'a  b',
  })
})

it.each([
  '[unknown]',
  '[reason 1]',
  '[pace]',
  '[Reason]',
  '[call]',
  '[call f {"a":1]',
  '[write a.txt]',
  '[count 3',
  '[toString]',
])('leaves %s in the prompt', (prompt) => {
  const { words, calls, write, rest } = readScript(`x ${prompt}`)
  expect({ size: words.size, calls, write, rest }).toEqual({
    size: 0,
    calls: [],
    write: undefined,
    rest: `x ${prompt}`,
  })
})

it('finds calls and their inputs', () => {
  const { calls, rest } = readScript('[call a {"x":["]}",{"y":"\\"]"}]}][call b] then [call ns.c free text].')
  expect(calls).toEqual([
    { name: 'a', input: '{"x":["]}",{"y":"\\"]"}]}' },
    { name: 'b', input: '' },
    { name: 'ns.c', input: 'free text' },
  ])
  expect(rest).toBe('then .')
})

it('finds the file to write', () => {
  expect(readScript('[write /a/b.txt Hello there!]').write).toEqual({
    file: '/a/b.txt',
    text: 'Hello there!',
  })
})

it('every word is explained in the guide, and no other', () => {
  const guide = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## Text: (.*?)^## /ms.exec(guide) ?? []
  const cells = section.split('\n').filter((line) => line.startsWith('| `['))
  const explained = cells.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`\[([a-z-]+)/g)].map(([, word]) => word),
  )
  expect(new Set(explained)).toEqual(new Set([...Object.keys(WORDS), 'call', 'write']))
})
