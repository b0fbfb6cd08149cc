import { placesOf, programFiles, type TidyRule } from '../source-tree.ts'

/** A thing has one name, given where it is made. */
export const noDefaultExport: TidyRule = (tree) =>
  programFiles(tree).flatMap((file) => placesOf(file, /\bexport\s+default\b|\bas\s+default\b/))
