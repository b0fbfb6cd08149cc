import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readScriptWords, SCRIPT_WORDS } from './script-words.ts'

it.each([
  [['A cat'], []],
  [['A cat [fail]'], ['fail']],
  [['[TWICE] a cat [silent][twice]'], ['twice', 'silent']],
  [['a', 'b [moderate-late]'], ['moderate-late']],
  [['[fail me] [unknown] fail (slow) [ slow ]'], []],
])('%j has the words %j', (texts, words) => {
  expect(readScriptWords(texts)).toEqual(words)
})

it('every word has a line in the guide', () => {
  const guide = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  const [, endings = ''] = /^### Endings$(.*?)^### /ms.exec(guide) ?? []
  const rows = endings.split('\n').filter((line) => line.startsWith('| `['))
  expect(rows.map((row) => /^\| `\[([a-z-]+)\]`/.exec(row)?.[1])).toEqual([...SCRIPT_WORDS])
})
