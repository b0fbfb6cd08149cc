import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Nouns that the glossary does not have, or uses for another thing. A verb such as "refused" is allowed. */
const OTHER_WORDS = /\b(?:refusals?|orphans?|places of|jobs?|quotas?|backends?|channels?|tenants?|credits)\b/i

const TEXTS = {
  'help texts of metrics': textsIn('src/adapters/telemetry/*.ts', /'sluice_\w+',\s*['"]([^'"\n]+)/g),
  'lines of doctor': textsIn('src/compose/diagnosis/*.ts', /['`]([^'`\n]+ [^'`\n]+)['`]/g),
  'labels of the console': textsIn('console/src/words/*.ts', /\[\s*'([^']+)',/g),
}

test.each(Object.entries(TEXTS))('%s name things by the words of the glossary', (_name, texts) => {
  expect(texts.length).toBeGreaterThan(10)
  expect(texts.filter((text) => OTHER_WORDS.test(text))).toEqual([])
})

test('a thing that all three show has one name', () => {
  const all = (name: keyof typeof TEXTS) => TEXTS[name].join('\n').toLowerCase()
  for (const word of ['breaker', 'provider'])
    for (const name of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) expect(all(name), name).toContain(word)
})

function textsIn(pattern: string, expression: RegExp): string[] {
  const files = globSync(pattern).filter((file) => !file.endsWith('.test.ts'))
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(expression)].map(([, text = '']) => text),
  )
}
