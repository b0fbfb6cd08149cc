import { expect, it } from 'vitest'
import { LANGUAGES } from './languages.ts'
import { PAGE_TEXTS } from './words.ts'

/** The names and list lengths of all texts, without the texts. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

it.each(LANGUAGES)('%s has every text of English, none empty, none with HTML', (language) => {
  expect(shapeOf(PAGE_TEXTS[language])).toEqual(shapeOf(PAGE_TEXTS.en))
  expect(JSON.stringify(PAGE_TEXTS[language])).not.toMatch(/[<>&]|""/)
})
