import { isTest, placesOf, type TidyRule } from '../source-tree.ts'

/** `npm run test:rest` finds what `npm test` sampled by these words, and looks for them in test files alone. */
export const onlyTestsSample: TidyRule = (tree) =>
  [...tree.values()]
    .filter(
      ({ path }) => /^(src|sandbox|test)\//.test(path) && !isTest(path) && !path.startsWith('test/random/'),
    )
    .flatMap((file) => placesOf(file, /\b(isFullRun|runs|drawsOf)\(/))
