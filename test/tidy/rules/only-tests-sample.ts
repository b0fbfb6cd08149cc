import { isTest, placesOf, type TidyRule } from '../source-tree.ts'

/** By these words in test files, `npm run test:rest` finds the tests of which `npm test` ran only a sample. */
export const onlyTestsSample: TidyRule = (tree) =>
  [...tree.values()]
    .filter(
      ({ path }) => /^(src|sandbox|test)\//.test(path) && !isTest(path) && !path.startsWith('test/random/'),
    )
    .flatMap((file) => placesOf(file, /\b(isFullRun|runs|drawsOf)\(/))
