import { posix } from 'node:path'
import { type MaskedSource, maskSource } from './mask-source.ts'
import { type Import, readImports } from './read-imports.ts'

export interface SourceFile extends MaskedSource {
  /** From the root of the repository, with forward slashes. */
  path: string
  text: string
  imports: readonly Import[]
}

export type SourceTree = ReadonlyMap<string, SourceFile>

/** Returns one line for each violation in the tree, the path first. */
export type TidyRule = (tree: SourceTree) => string[]

export function scanTree(texts: ReadonlyMap<string, string>): SourceTree {
  return new Map([...texts].map(([path, text]) => [path, scanFile(path, text)]))
}

/** The files that are part of the running program; the client runs in other programs. */
export function programFiles(tree: SourceTree): SourceFile[] {
  return [...tree.values()].filter(
    ({ path }) => /^(src|packages\/(?!client\/)\w+\/src|sandbox)\/.*\.ts$/.test(path) && !isTest(path),
  )
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}

/** Target of an import from the root of the repository; undefined for packages of others. */
export function targetOf(file: SourceFile, { specifier }: Import): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file.path), specifier)
  const [, name, path] = /^@sluice\/(\w+)\/(.+)$/.exec(specifier) ?? []
  return name === undefined ? undefined : `packages/${name}/src/${path}.ts`
}

/** Every place in the code, outside comments and strings, that the pattern fits. */
export function placesOf(file: SourceFile, pattern: RegExp): string[] {
  return [...file.code.matchAll(new RegExp(pattern, 'g'))].map(
    ({ index, 0: found }) => `${file.path}:${lineAt(file.code, index)}: ${found.trim()}`,
  )
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function scanFile(path: string, text: string): SourceFile {
  if (!/\.tsx?$/.test(path)) return { path, text, code: '', strings: new Map(), imports: [] }
  const masked = maskSource(text)
  return { path, text, ...masked, imports: readImports(masked) }
}
