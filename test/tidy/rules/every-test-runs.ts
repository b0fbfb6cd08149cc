import { isTest, placesOf, type TidyRule } from '../source-tree.ts'

const WAYS = [
  /\b(test|it|describe|suite)(\.\w+)*\.(skip|skipIf|runIf|only|todo|fails)\b/,
  /\bx(it|describe)\(/,
  // Options of a test; a number is a member of a query.
  /[{,]\s*(skip|only|todo|fails):(?!\s*(false\b|\d))/,
  // The way of a running test to leave itself out.
  /\bskip\(/,
]
const LEFT_OUT = new RegExp(WAYS.map(({ source }) => source).join('|'))

/** A test that is left out proves nothing, and one that runs alone hides the others. */
export const everyTestRuns: TidyRule = (tree) =>
  [...tree.values()]
    .filter(({ path }) => isTest(path) || path.startsWith('test/'))
    .flatMap((file) => placesOf(file, LEFT_OUT))
