import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const PAGES = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/glossary.md',
  ...globSync('docs/recipes/*.md', { cwd: ROOT }),
]

test.each(PAGES)('every path that %s names exists', (name) => {
  const page = readFileSync(join(ROOT, name), 'utf8')
  const paths = [...page.matchAll(PATHS)].map(([, path = '']) =>
    path.replace(DIALECTS, 'packages/dialects/src/').replace(OF_SOURCE, 'src/$&'),
  )
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !exists(path))).toEqual([])
})

const PATHS = /`((?:src|packages|test|docs|sandbox|domain|app|dialects|http|ports|adapters)\/[^`\s]*)`/g
/** The walks through a request leave out `src/`, and `packages/` with it. */
const OF_SOURCE = /^(?:domain|app|http|ports|adapters)\//
const DIALECTS = /^dialects\//

/** `<name>` stands for any file or folder that is already there. */
function exists(path: string): boolean {
  return globSync(path.replace(/\/$/, '').replaceAll(/<\w+>/g, '*'), { cwd: ROOT }).length > 0
}
