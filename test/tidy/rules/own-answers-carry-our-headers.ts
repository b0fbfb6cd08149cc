import { placesOf, programFiles, type TidyRule } from '../source-tree.ts'

/** Every head is written in one place of the edge, which sets the common headers. */
export const ownAnswersCarryOurHeaders: TidyRule = (tree) =>
  programFiles(tree)
    .filter(({ path }) => path.startsWith('src/') && path !== 'src/http/edge-reply.ts')
    .flatMap((file) => placesOf(file, /\braw\s*\.\s*writeHead\s*\(/))
