import { expect, test } from 'vitest'
import { prefersHtml } from './prefers-html.ts'

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML', true],
  ['application/json;q=0.5, text/html;q=0.5', true],
  ['application/json, text/html;q=0.9', false],
  ['application/json', false],
  ['*/*', false],
  ['text/*', false],
  ['text/html;q=0', false],
  ['text/html;q=x', false],
  ['text/htmlx', false],
  ['', false],
  [undefined, false],
])('Accept: %s: %s', (accept, isPerson) => {
  expect(prefersHtml(accept)).toBe(isPerson)
})
