import { isTest, type SourceFile, type SourceTree, type TidyRule, targetOf } from '../source-tree.ts'

/** The folders that the projects of `vitest.config.ts` name: a test anywhere else would never run. */
const TIERS =
  /^(src|packages\/\w+\/src|sandbox|simulator|console\/src|reliability\/measured|test\/(api|billing-faults|conformance|conversion|engines|presets|random|schemas|sdk-compat|servers|system|tidy))\//

/** Tests of these folders are pure, so that one rule can be tried within two seconds. */
const UNIT =
  /^(src|packages|sandbox|simulator|console\/src|test\/(conformance|conversion|presets|random|schemas|tidy))\//

/** Files that start a server, a store or a process, or open a connection to one. */
const STARTERS: ReadonlySet<string> = new Set([
  'src/http/server/server.ts',
  'sandbox/server.ts',
  'src/adapters/sqlite/engine.ts',
  'src/adapters/sqlite/open-store.ts',
  'src/adapters/postgres/engine.ts',
  'src/adapters/postgres/open-store.ts',
  'src/adapters/redis/redis-client.ts',
  'test/servers/server-process.ts',
])

export const testsStandInATier: TidyRule = (tree) =>
  [...tree.values()]
    .filter(({ path }) => isTest(path))
    .flatMap((file) => {
      if (!TIERS.test(file.path)) return [`${file.path}: no project of vitest.config.ts runs this folder`]
      const starter = UNIT.test(file.path) ? starterOf(tree, file) : undefined
      return starter === undefined ? [] : [`${file.path}: a unit test reaches ${starter}`]
    })

/** The first starter that the test's own imports lead to; imports of types load nothing. */
function starterOf(tree: SourceTree, test: SourceFile): string | undefined {
  const seen = new Set<string>()
  const open = [test]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const entry of file.imports) {
      const target = /^\s*type\b/.test(entry.clause) ? undefined : targetOf(file, entry)
      if (target === undefined || seen.has(target)) continue
      if (STARTERS.has(target)) return target
      seen.add(target)
      const next = tree.get(target)
      if (next !== undefined) open.push(next)
    }
  }
  return undefined
}
