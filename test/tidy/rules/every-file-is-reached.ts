import { programFiles, type SourceTree, type TidyRule, targetOf } from '../source-tree.ts'

/** A file that main.ts does not reach is dead, or used only in tests. */
export const everyFileIsReached: TidyRule = (tree) => {
  const reached = reachedFrom(tree, 'src/main.ts')
  return programFiles(tree)
    .filter(({ path }) => !reached.has(path))
    .map(({ path }) => `${path}: nothing leads here from src/main.ts`)
}

function reachedFrom(tree: SourceTree, start: string): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = tree.get(path)
    if (file === undefined || reached.has(path)) continue
    reached.add(path)
    open.push(...file.imports.map((entry) => targetOf(file, entry)).filter((target) => target !== undefined))
  }
  return reached
}
