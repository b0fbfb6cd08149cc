import type { TidyRule } from '../source-tree.ts'

/** Files and folders have whole-word names in kebab-case, and none is a catch-all such as "utils". */
export const namesSayWhatIsInside: TidyRule = (tree) =>
  [...tree.keys()]
    .filter((path) => /^(src|packages|test|bench|simulator|reliability|console\/src)\/.*\.tsx?$/.test(path))
    .flatMap((path) => {
      const faults = path
        .split('/')
        .map(faultOf)
        .filter((fault) => fault !== undefined)
      return [...faults, ...misplacedIndex(path)].map((fault) => `${path}: ${fault}`)
    })

const CATCH_ALLS = ['util', 'utils', 'helper', 'helpers', 'common', 'base', 'manager', 'misc']

function faultOf(segment: string): string | undefined {
  const name = segment.replace(/(\.test)?\.tsx?$/, '')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return `${segment} is not in kebab-case`
  const catchAll = name.split('-').find((word) => CATCH_ALLS.includes(word))
  return catchAll === undefined ? undefined : `"${catchAll}" does not say what is inside`
}

/** An index may list rules or migrations in their order; elsewhere it would hide the source of a name. */
function misplacedIndex(path: string): string[] {
  if (!path.endsWith('/index.ts') || /\/(rules|migrations)\/index\.ts$/.test(path)) return []
  return ['index.ts has no place here']
}
