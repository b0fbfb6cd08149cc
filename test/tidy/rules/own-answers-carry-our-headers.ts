import { placesOf, programFiles, type TidyRule, targetOf } from '../source-tree.ts'

/** An answer past the framework passes its hooks by as well: whoever sends one takes the headers of every answer along. */
export const ownAnswersCarryOurHeaders: TidyRule = (tree) =>
  programFiles(tree)
    .filter(
      (file) => !file.imports.some((line) => targetOf(file, line) === 'src/http/errors/answer-headers.ts'),
    )
    .flatMap((file) => placesOf(file, /\.\s*hijack\s*\(/))
