import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTree } from './read-tree.ts'
import { RULES } from './rules/index.ts'
import { scanTree } from './source-tree.ts'

const tree = scanTree(readTree(join(import.meta.dirname, '../..')))

test.each(Object.entries(RULES))('%s', (_name, rule) => {
  expect(tree.has('src/domain/errors.ts')).toBe(true)
  expect(rule(tree)).toEqual([])
})
