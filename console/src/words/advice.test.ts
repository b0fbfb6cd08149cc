import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FILES = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'words.ts',
)

test.each(FILES)('%s never sends a reader of the console to the command line', async (file) => {
  const tables: Record<string, Record<string, readonly string[]>> = await import(
    /* @vite-ignore */ join(import.meta.dirname, file)
  )
  const texts = Object.values(tables).flatMap((table) => Object.values(table).flat())
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter((text) => /\bsluice [a-z]+/.test(text))).toEqual([])
})
