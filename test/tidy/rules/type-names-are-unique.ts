import { isTest, type SourceTree, type TidyRule } from '../source-tree.ts'

/** A type name has one meaning in the whole program. */
export const typeNamesAreUnique: TidyRule = (tree) =>
  [...placesByName(tree)]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${paths[0]}: ${name} is also in ${paths.slice(1).join(', ')}`)

function placesByName(tree: SourceTree): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const { path, code } of tree.values()) {
    if (!/^(?:src|packages)\/.*\.ts$/.test(path) || isTest(path)) continue
    for (const [, name = ''] of code.matchAll(DECLARATION))
      places.set(name, [...(places.get(name) ?? []), path])
  }
  return places
}

const DECLARATION = /^(?:export )?(?:abstract )?(?:interface|type|class) ([A-Z]\w*)/gm
