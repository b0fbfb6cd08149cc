import type { TidyRule } from '../source-tree.ts'

/** A file that needs more lines holds more than one thing. */
export const filesAreShort: TidyRule = (tree) =>
  [...tree.values()]
    .filter(
      ({ path, text }) =>
        /^(src|packages|test|bench|simulator|reliability|console)\/.*\.(ts|tsx|css)$/.test(path) &&
        linesOf(text) > LINES_MAX,
    )
    .map(({ path, text }) => `${path}: ${linesOf(text)} lines, more than ${LINES_MAX}`)

const LINES_MAX = 300

function linesOf(text: string): number {
  return text.trimEnd().split('\n').length
}
