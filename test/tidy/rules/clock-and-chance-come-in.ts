import { placesOf, programFiles, type SourceFile, type TidyRule } from '../source-tree.ts'
import { layerOf } from './layers.ts'

/** Time and randomness are arguments, so that a scenario of three hours is tested in a millisecond. */
export const clockAndChanceComeIn: TidyRule = (tree) =>
  programFiles(tree)
    .filter(({ path }) => layerOf(path) !== 'adapters' && layerOf(path) !== 'sandbox')
    .flatMap((file) => [...SOURCES.flatMap((pattern) => placesOf(file, pattern)), ...randomImports(file)])

const SOURCES = [
  /\bDate\s*\.\s*now\b/,
  /\bnew\s+Date\b(?!\s*\(\s*[^\s)])/,
  /(?<!\bnew\s+)(?<![\w$.])Date\s*\(/,
  /\bTemporal\s*\.\s*Now\b/,
  /\bperformance\s*\.\s*now\b/,
  /\bprocess\s*\.\s*(hrtime|uptime)\b/,
  /\bMath\s*\.\s*random\b/,
  /\b(web)?crypto\s*\.\s*(random\w+|getRandomValues|subtle\s*\.\s*generateKey)\b/,
]

/** `secrets.randomBytes` is a port and welcome; the same word from Node is not. */
function randomImports(file: SourceFile): string[] {
  return file.imports
    .filter(({ specifier }) => /^(node:)?(crypto|perf_hooks)$/.test(specifier))
    .filter(({ clause }) =>
      /\b(random\w+|getRandomValues|webcrypto|generateKey\w*|performance)\b/.test(clause),
    )
    .map(({ line, specifier }) => `${file.path}:${line}: chance or time from ${specifier}`)
}
