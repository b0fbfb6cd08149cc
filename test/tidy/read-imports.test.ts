import { expect, test } from 'vitest'
import { maskSource } from './mask-source.ts'
import { readImports } from './read-imports.ts'

function specifiersIn(source: string): string[] {
  return readImports(maskSource(source)).map(({ specifier }) => specifier)
}

test.each([
  ["import { a } from './a.ts'", './a.ts'],
  ['import a from "./a.ts"', './a.ts'],
  ["import type { A } from './a.ts'", './a.ts'],
  ["import * as a from './a.ts'", './a.ts'],
  ["import{a}from'./a.ts'", './a.ts'],
  ["import {\n  a,\n  type B,\n} from './a.ts'", './a.ts'],
  ["import './a.ts'", './a.ts'],
  ["import a from './a.json' with { type: 'json' }", './a.json'],
  ["export { a } from './a.ts'", './a.ts'],
  ["export * from './a.ts'", './a.ts'],
  ["export type * from './a.ts'", './a.ts'],
  ["const a = await import('./a.ts')", './a.ts'],
  ['const a = await import(`./a.ts`)', './a.ts'],
  ["const a = import(\n  './a.ts'\n)", './a.ts'],
  ["let a: import('./a.ts').A", './a.ts'],
  ["new Worker(new URL('./a.ts', import.meta.url))", './a.ts'],
  ["const pattern = /['\"]/\nimport './a.ts'", './a.ts'],
  ["const half = width / 2 // it's half\nimport './a.ts'", './a.ts'],
  [`const nested = \`\${\`\${1}\`} ' \`\nimport "./a.ts"`, './a.ts'],
])('%j imports a file', (source, specifier) => {
  expect(specifiersIn(source)).toEqual([specifier])
})

test.each([
  "// import { a } from './a.ts'",
  "/* import './a.ts' */",
  `const text = "import a from './a.ts'"`,
  "const text = `import './a.ts'`",
  `const text = \`\${1} import './a.ts'\``,
  "const list = Array.from('abc')",
  "const from = 'a'",
  "object.import('./a.ts')",
  "new URL('https://example.test')",
  "new URL('/path', base)",
])('%j imports nothing', (source) => {
  expect(specifiersIn(source)).toEqual([])
})

test('reports the line and the text of each import', () => {
  const source =
    "import { b } from './b.ts'\n\nimport {\n  importKey,\n  randomBytes,\n} from 'node:crypto'\n"
  expect(readImports(maskSource(source))).toEqual([
    { specifier: './b.ts', clause: ' { b } ', line: 1 },
    { specifier: 'node:crypto', clause: ' {\n  importKey,\n  randomBytes,\n} ', line: 6 },
  ])
})
