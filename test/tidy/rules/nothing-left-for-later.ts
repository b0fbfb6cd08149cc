import { lineAt, type TidyRule } from '../source-tree.ts'

/** A promise in a comment is forgotten: do it, or write an issue. */
export const nothingLeftForLater: TidyRule = (tree) =>
  [...tree.values()]
    .filter(({ path }) => /\.(tsx?|js|yaml|yml|json|md|sh)$/.test(path) && path !== 'package-lock.json')
    .flatMap(({ path, text }) =>
      [...text.matchAll(PROMISES)].map(({ index, 0: word }) => `${path}:${lineAt(text, index)}: ${word}`),
    )

const PROMISES = /\b(TO(?:DO)|FIX(?:ME))\b/g
