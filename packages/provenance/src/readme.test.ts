import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [, CODE = ''] = /```js\n([\s\S]*?)```/.exec(README) ?? []
const CLIP = readFileSync(new URL('../../../sandbox/media/1280x720.mp4', import.meta.url))

test('the lines of the README read and mark a clip', async () => {
  const read = await run({
    size: CLIP.length,
    readRange: (offset: number, length: number) => Promise.resolve(CLIP.subarray(offset, offset + length)),
  })
  expect(read).toEqual({
    media_type: 'video/mp4',
    duration_ms: 5_000,
    width: 1280,
    height: 720,
    isMarked: false,
    added: ['aigc'],
  })
})

/** Runs the README's lines unchanged, except that each `import` becomes a call of this file's `load`. */
function run(given: Record<string, unknown>) {
  const lines = CODE.replace(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = await load($2)')
  const load = (specifier: string) => import(specifier)
  const source = `return async () => { ${lines}\nreturn { media_type, duration_ms, width, height, isMarked, added } }`
  return new Function('load', ...Object.keys(given), source)(load, ...Object.values(given))()
}
