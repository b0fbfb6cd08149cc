import { isTest, placesOf, type TidyRule } from '../source-tree.ts'

/** A test that is left out proves nothing, and one that runs alone hides the others. */
export const everyTestRuns: TidyRule = (tree) =>
  [...tree.values()]
    .filter(({ path }) => isTest(path))
    .flatMap((file) =>
      placesOf(
        file,
        /\b(test|it|describe|suite)(\.\w+)*\.(skip|skipIf|runIf|only|todo|fails)\b|\bx(it|describe)\(/,
      ),
    )
