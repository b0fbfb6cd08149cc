import { placesOf, programFiles, type TidyRule, targetOf } from '../source-tree.ts'

/** An answer that is written without the framework skips its hooks too, so the code that writes it sets the common headers. */
export const ownAnswersCarryOurHeaders: TidyRule = (tree) =>
  programFiles(tree)
    .filter(
      (file) => !file.imports.some((line) => targetOf(file, line) === 'src/http/errors/answer-headers.ts'),
    )
    .flatMap((file) => placesOf(file, /\.\s*hijack\s*\(/))
