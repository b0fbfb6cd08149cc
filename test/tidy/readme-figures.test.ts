import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const bulletOf = (title: string) =>
  read('README.md')
    .split('\n')
    .find((line) => line.startsWith(`- **${title}**`)) ?? ''

test('every CPU time of the README is a figure of docs/performance.md', () => {
  const claimed = bulletOf('Little CPU.').match(/\d[\d,.]*(?= (?:and|us)\b)/g) ?? []
  const cells = read('docs/performance.md')
    .split(/[|\n]/)
    .map((cell) => cell.trim())
  expect(claimed).not.toEqual([])
  expect(claimed.filter((figure) => !cells.includes(figure))).toEqual([])
})

test('the README counts the billing cases of the page, and those from public reports', () => {
  const cases = read('docs/billing-cases.md')
    .split('\n')
    .filter((line) => line.startsWith('- **'))
  const reported = cases.filter((line) => line.includes('](https://'))
  const bullet = bulletOf('Exact money.')
  expect(bullet).toContain(`${cases.length} unusual vendor replies`)
  expect(bullet).toContain(`${reported.length} of them from public reports`)
})
