import { lineAt, type SourceFile, type TidyRule } from '../source-tree.ts'

/**
 * Most readers are not native speakers: a sentence names the component that acts (the client, the vendor, the worker),
 * and says it in ordinary words. Comments, messages, test names and documents alike.
 */
export const wordsArePlain: TidyRule = (tree) =>
  [...tree.values()].filter(isRead).flatMap(({ path, text }) =>
    [...text.matchAll(WORDS)].map(({ index, 0: word }) => {
      const better = Object.entries(PLAINER).find(([pattern]) =>
        new RegExp(`^(?:${pattern})$`, 'i').test(word),
      )
      return `${path}:${lineAt(text, index)}: "${word.replaceAll(/[\s*/]+/g, ' ')}": ${better?.[1]}`
    }),
  )

/** Better words by the pattern of a word. */
const PLAINER: Readonly<Record<string, string>> = {
  "(?:no|some|any|every)body(?:'s)?|who(?:m|so)?ever": 'name the component, such as the client or the vendor',
  'under[\\s*/]+way': 'running',
  'in[\\s*/]+vain': 'without a result',
  'for[\\s*/]+ever': 'without end, or never deleted',
  'mend(?:s|ed|ing)?': 'fix',
  '(?:is|are|was|were|be)[\\s*/]+away': 'is unreachable',
}

const WORDS = new RegExp(`\\b(?:${Object.keys(PLAINER).join('|')})\\b`, 'gi')

/** This file, and a file that needs a Unix account whose name is one of the words. */
const EXEMPT = ['test/tidy/rules/words-are-plain.ts', 'test/servers/server-user.ts']

function isRead({ path }: SourceFile): boolean {
  return !EXEMPT.includes(path) && /\.(tsx?|js|md|yaml|yml|sh)$/.test(path)
}
