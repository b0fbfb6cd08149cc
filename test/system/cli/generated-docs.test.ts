import { readFileSync } from 'node:fs'
import { LOSSES } from '@sluice/dialects/canonical/losses'
import { expect, test } from 'vitest'
import { generatePages, stalePages } from '../../../docs/generate.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { SETTINGS } from '../../../src/config/settings/settings.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { ERRORS } from '../../../src/domain/errors.ts'
import { presentError } from '../../../src/http/errors/present-error.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'

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

test('an error lists the types of the envelopes that name it differently', () => {
  const page = generatePages()['docs/errors.md']
  const firstLine = (code: string) => page?.split(`\n## ${code}\n\n`)[1]?.split('\n')[0]
  expect(firstLine('invalid_json')).toBe('Status 400, type `invalid_request_error`.')
  expect(firstLine('body_too_large')).toBe(
    'Status 413, type `invalid_request_error`; `request_too_large` on `/v1/messages`.',
  )
  expect(firstLine('overloaded')).toBe(
    'Status 503, type `service_unavailable_error`; `api_error` on `/v1/messages`.',
  )
  expect(firstLine('insufficient_balance')).toBe(
    'Status 402, type `billing_error`; `insufficient_quota` on `/v1/responses`, `/v1/models`, `/v1/usage`, `/v1/balance`, `/v1/chat/completions` and `/v1/embeddings`.',
  )
})

test('the path of every operation that needs a key has a row with its envelope', () => {
  const rows = generatePages()
    ['docs/errors.md']?.match(/(?<=\| Path \| Body \|\n\|---\|---\|\n)(\|.*\n)+/)?.[0]
    .split('\n')
  const rowOf = (path: string) =>
    rows?.find((row) =>
      [...row.matchAll(/`(\/[^`]+)`/g)].some(([, known]) => `${path}/`.startsWith(`${known}/`)),
    )
  for (const { path, area } of OPERATIONS.filter(({ access }) => access !== 'open')) {
    const { body } = presentError(area, new ApiError('missing_parameter', { param: 'model' }), 'req_...')
    expect(rowOf(path), path).toContain(`| \`${body}\` |`)
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

test('the example of a providers file is valid', () => {
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
