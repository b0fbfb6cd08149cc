import { isTest, type SourceTree, type TidyRule, targetOf } from '../source-tree.ts'

/** No file leads back to itself, not even through imports of types alone. */
export const noImportCycle: TidyRule = (tree) => {
  const finished = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
      return
    }
    if (finished.has(path)) return
    for (const next of neighbours(tree, path)) visit(next, [...trail, path])
    finished.add(path)
  }
  for (const path of tree.keys()) if (isLookedAt(path)) visit(path, [])
  return found
}

/** The gateway, its packages, the sandbox, the console, the simulator, the reliability runs and the benchmarks. */
function isLookedAt(path: string): boolean {
  return (
    /^(src|packages|sandbox|console\/src|simulator|reliability|bench)\/.*\.tsx?$/.test(path) && !isTest(path)
  )
}

function neighbours(tree: SourceTree, path: string): string[] {
  const file = tree.get(path)
  if (file === undefined) return []
  return file.imports.map((entry) => targetOf(file, entry)).filter((target) => target !== undefined)
}
