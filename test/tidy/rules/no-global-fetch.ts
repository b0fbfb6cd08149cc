import { placesOf, programFiles, type TidyRule } from '../source-tree.ts'

/** Calls leave through the outbound module, which checks where they go; the global `fetch` checks nothing. */
export const noGlobalFetch: TidyRule = (tree) =>
  programFiles(tree).flatMap((file) => placesOf(file, /(?<![\w$.])fetch\s*\(|\bglobalThis\s*\.\s*fetch\b/))
