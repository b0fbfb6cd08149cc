import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text files of the repository as it stands on disk, by path, without installed or generated files. */
export function readTree(root: string): Map<string, string> {
  const texts = new Map<string, string>()
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (MADE_HERE.some((pattern) => pattern.test(path))) continue
      if (entry.isDirectory()) visit(path)
      if (entry.isFile()) addText(texts, path, readFileSync(join(root, path)))
    }
  }
  visit('')
  return texts
}

/** Git's own folder, paths that .gitignore excludes, and measured results. */
const MADE_HERE = [
  /(^|\/)node_modules$/,
  /^\.git$/,
  /^data$/,
  /\.log$/,
  /^coverage$/,
  /^sbom\.cdx\.json$/,
  /^bench\/results$/,
  /^\.env$/,
  /^console\/dist$/,
  /^release$/,
  /^packages\/(?:client|dialects)\/dist$/,
  /^packages\/sluice\/(dist|console|presets|sandbox|examples)$/,
  /^console\/src\/api\/admin-types\.ts$/,
  /^packages\/client\/src\/api-types\.ts$/,
]

function addText(texts: Map<string, string>, path: string, bytes: Buffer): void {
  if (!bytes.includes(0)) texts.set(path, bytes.toString('utf8'))
}
