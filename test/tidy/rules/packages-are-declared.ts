import { packageOf } from '../read-imports.ts'
import { isTest, programFiles, type SourceFile, type SourceTree, type TidyRule } from '../source-tree.ts'

/** Every imported package is declared in a package.json, and the program imports each of its dependencies. */
export const packagesAreDeclared: TidyRule = (tree) => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(tree.get('package.json')?.text ?? '{}')
  const program = programFiles(tree)
  const used = new Set(program.flatMap(packagesOf))
  return [
    ...program.flatMap((file) => undeclared([file], { ...dependencies, ...packagesOfWorkspace(tree, file) })),
    ...undeclared(supportFiles(tree), { ...dependencies, ...devDependencies }),
    ...undeclared(consoleFiles(tree), packagesOfConsole(tree)),
    ...Object.keys(dependencies)
      .filter((name) => !used.has(name))
      .map((name) => `package.json: ${name} is declared, and src does not import it`),
  ]
}

/** The console is built before it is published, so its packages are for development only; it has its own package.json. */
function packagesOfConsole(tree: SourceTree): object {
  return JSON.parse(tree.get('console/package.json')?.text ?? '{}').devDependencies ?? {}
}

/** A package may use what its own package.json declares. */
function packagesOfWorkspace(tree: SourceTree, { path }: SourceFile): object {
  const folder = /^packages\/[^/]+\//.exec(path)?.[0]
  return JSON.parse(tree.get(`${folder}package.json`)?.text ?? '{}').dependencies ?? {}
}

function consoleFiles(tree: SourceTree): SourceFile[] {
  return [...tree.values()].filter(({ path }) => path.startsWith('console/') && !isTest(path))
}

function supportFiles(tree: SourceTree): SourceFile[] {
  return [...tree.values()].filter(
    ({ path }) => !/^(src|packages|sandbox|console)\//.test(path) || isTest(path),
  )
}

function undeclared(files: readonly SourceFile[], declared: object): string[] {
  return files.flatMap((file) =>
    packagesOf(file)
      .filter((name) => !Object.hasOwn(declared, name))
      .map((name) => `${file.path}: ${name} is not declared in package.json`),
  )
}

function packagesOf({ imports }: SourceFile): string[] {
  return imports
    .map(({ specifier }) => specifier)
    .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
    .map(packageOf)
}
