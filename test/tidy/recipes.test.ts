import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

test.each(globSync('docs/recipes/*.md', { cwd: ROOT }))('every path that %s names exists', (recipe) => {
  const page = readFileSync(join(ROOT, recipe), 'utf8')
  const paths = [...page.matchAll(/`((?:src|test|docs|sandbox)\/[^`\s]+)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !exists(path))).toEqual([])
})

/** `<name>` stands for any file or folder that is already there. */
function exists(path: string): boolean {
  return globSync(path.replace(/\/$/, '').replaceAll(/<\w+>/g, '*'), { cwd: ROOT }).length > 0
}
