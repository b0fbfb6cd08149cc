import { placesOf, programFiles, type TidyRule } from '../source-tree.ts'
import { layerOf } from './layers.ts'

/** Only the configuration reads the environment; other code gets its settings as arguments. */
export const environmentIsReadInConfig: TidyRule = (tree) =>
  programFiles(tree)
    .filter(({ path }) => layerOf(path) !== 'config')
    .flatMap((file) => [
      ...placesOf(
        file,
        /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/,
      ),
      ...file.imports
        .filter(({ specifier }) => /^(node:)?process$/.test(specifier))
        .map(({ line, specifier }) => `${file.path}:${line}: ${specifier}`),
    ])
