import { programFiles, type SourceFile, type TidyRule, targetOf } from '../source-tree.ts'
import { ARROWS, areaOf, layerOf } from './layers.ts'

/** A layer imports only the layers its row of `ARROWS` names, and an adapter imports only shared adapters. */
export const arrowsPointInward: TidyRule = (tree) => programFiles(tree).flatMap(wrongImports)

/**
 * Both SQL engines share a folder, every adapter that calls other servers uses `outbound`, and one function decrypts
 * on every thread.
 */
const SHARED_BY_ADAPTERS: Record<string, readonly string[]> = {
  'adapters/sqlite': ['adapters/sql'],
  'adapters/postgres': ['adapters/sql'],
  'adapters/providers': ['adapters/outbound'],
  'adapters/callbacks': ['adapters/outbound'],
  'adapters/media': ['adapters/outbound'],
  'adapters/threads': ['adapters/system'],
}

function wrongImports(file: SourceFile): string[] {
  if (layerOf(file.path) === undefined) return [`${file.path}: belongs to no layer`]
  return file.imports.flatMap((entry) => {
    const target = targetOf(file, entry)
    if (target === undefined || isAllowed(file.path, target)) return []
    return [`${file.path}:${entry.line}: must not import ${target}`]
  })
}

function isAllowed(from: string, to: string): boolean {
  if (to === 'package.json') return layerOf(from) === 'config'
  const source = layerOf(from)
  const target = layerOf(to)
  if (source === undefined || target === undefined) return false
  if (source === 'adapters' && target === 'adapters') {
    return areaOf(from) === areaOf(to) || (SHARED_BY_ADAPTERS[areaOf(from)] ?? []).includes(areaOf(to))
  }
  const allowed: readonly string[] = ARROWS[source]
  return source === target || allowed.includes(target)
}
