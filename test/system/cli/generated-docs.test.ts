import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatePages, stalePages } from '../../../docs/generate.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { SETTINGS } from '../../../src/config/settings/settings.ts'
import { ERRORS } from '../../../src/domain/errors.ts'
import { LOSSES } from '../../../src/llm/canonical/losses.ts'

test('the generated pages are up to date: run "npm run docs" when they are not', () => {
  expect(stalePages()).toEqual([])
})

test('every setting has its row', () => {
  const page = generatePages()['docs/configuration.md']
  for (const name of Object.keys(SETTINGS)) expect(page).toContain(`| \`${name}\` |`)
})

test('every error code has a section and a link to it', () => {
  const page = generatePages()['docs/errors.md']
  for (const code of Object.keys(ERRORS)) {
    expect(page).toContain(`\n## ${code}\n`)
    expect(page).toContain(`](#${code})`)
  }
})

test('every loss has its row', () => {
  const page = generatePages()['docs/losses.md']
  for (const [name, meaning] of Object.entries(LOSSES)) expect(page).toContain(`| \`${name}\` | ${meaning} |`)
})

test('a cell does not break its table', () => {
  for (const page of Object.values(generatePages())) {
    for (const table of page.match(/(^\|.*\n)+/gm) ?? []) {
      const widths = table
        .trim()
        .split('\n')
        .map((row) => row.split('|').length)
      expect(new Set(widths).size, table).toBe(1)
    }
  }
})

test('the example of a providers file is one', () => {
  const example = readFileSync(new URL('../../../sluice.example.yaml', import.meta.url), 'utf8')
  const names = [...example.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
  const config = readConfig({
    environment: Object.fromEntries(names.map((name) => [name, 'some-key'])),
    readFile: () => example,
  })
  expect(config.providers.map(({ name, driver }) => `${name}: ${driver}`)).toEqual([
    'vendorA: vendor-a',
    'vendorB: vendor-b',
    'vendorC: text',
    'vendorD: text',
  ])
})
