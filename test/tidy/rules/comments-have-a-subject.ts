import { lineAt, type SourceFile, type TidyRule } from '../source-tree.ts'

/**
 * A comment is a sentence with a subject and a verb, or a noun phrase that names the thing. One that begins with a
 * relative word avoids the name that its reader looks for.
 */
export const commentsHaveASubject: TidyRule = (tree) =>
  [...tree.values()]
    .filter(({ path }) => /\.tsx?$/.test(path))
    .flatMap((file) =>
      [...commentsOf(file)].flatMap(({ index, text }) => {
        const beginning = BEGINNINGS.exec(text)?.[0]
        return beginning === undefined
          ? []
          : [`${file.path}:${lineAt(file.text, index)}: begins with "${beginning}"`]
      }),
    )

const BEGINNINGS = /^(?:Of|As|The same|Those|One of them|What|How|Where)\b/

/** Finds comments in the code: a line comment that follows another one continues it. */
function* commentsOf({ text, code }: SourceFile): Generator<{ index: number; text: string }> {
  let lineEnd = -1
  for (const { index, 0: comment } of text.matchAll(/\/\*.*?\*\/|\/\/[^\n]*/gs)) {
    if (code.slice(index, index + 2).trim() !== '') continue
    const isContinued = comment.startsWith('//') && text.slice(lineEnd, index).trim() === '' && lineEnd >= 0
    lineEnd = comment.startsWith('//') ? index + comment.length : -1
    if (!isContinued) yield { index, text: comment.replace(/^\/[*/]+\s*(?:\*\s*)?/, '') }
  }
}
