import { DIALECT_NAMES } from '@sluice/dialects/dialect-facts'
import { lineAt, programFiles, type SourceFile, type TidyRule } from '../source-tree.ts'

/** Code that compares with the name of a dialect would silently skip a new one: only folders of dialects may do so. */
export const dialectsAreAskedByRow: TidyRule = (tree) => programFiles(tree).flatMap(comparisons)

const NAMES: readonly string[] = DIALECT_NAMES

function comparisons({ path, code, strings }: SourceFile): string[] {
  if (path.startsWith('sandbox/') || NAMES.some((name) => path.startsWith(`packages/dialects/src/${name}/`)))
    return []
  return [...strings]
    .filter(([at, text]) => NAMES.includes(text) && isCompared(code, at, text))
    .map(([at, text]) => `${path}:${lineAt(code, at)}: compares with '${text}'; ask its row`)
}

function isCompared(code: string, at: number, text: string): boolean {
  const behind = at + text.length + 2
  return /(?:[!=]==?|\bcase)\s*$/.test(code.slice(0, at)) || /^\s*[!=]==?/.test(code.slice(behind))
}
