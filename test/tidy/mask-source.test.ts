import { expect, test } from 'vitest'
import { maskSource } from './mask-source.ts'

/** Replaces `$<` by the opening of an expression, which the linter does not allow in a plain string. */
function withExpressions(text: string): string {
  return text.replaceAll('$<', '$' + '{')
}

test.each([
  ['a // b', 'a     '],
  ['a /* b\nc */ d', 'a     \n     d'],
  ["call('fetch(x)')", "call('        ')"],
  ["call('it\\'s')", "call('     ')"],
  ['`a $<b} c`', '`  $<b}  `'],
  ['`$< { a: `x$<b}` } }`', '`$< { a: ` $<b}` } }`'],
  ['/[/"]+/g.test(a)', '/     /g.test(a)'],
  ['a / b / c', 'a / b / c'],
  ['(a) / "b"', '(a) / " "'],
  ['return /b/', 'return / /'],
  ["'\u{1F30A}' + a", "'  ' + a"],
])('%j is masked as %j', (source, code) => {
  expect(maskSource(withExpressions(source)).code).toBe(withExpressions(code))
})

test('a missing end does not hang it', () => {
  for (const source of ["'", '"a', '`a', withExpressions('`$<'), '/*', '/a', "'\\"])
    expect(maskSource(source).code).toBeTypeOf('string')
})
