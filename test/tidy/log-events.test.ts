import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOG_EVENTS } from '../../src/ports/log-events.ts'

const ROOT = join(import.meta.dirname, '../..')
const IDS = Object.keys(LOG_EVENTS)
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('docs/operations.md lists every event of the log, and no other', () => {
  const [, section = ''] = /^## Logs\n([\s\S]*?)^## /m.exec(read('docs/operations.md')) ?? []
  const rows = section.split('\n').filter((line) => /^\| `\w+\./.test(line))
  const listed = rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, id]) => id),
  )
  expect(listed.toSorted()).toEqual(IDS.toSorted())
})

test('every event of the table is logged somewhere', () => {
  const paths = globSync('src/**/*.ts', { cwd: ROOT }).filter(
    (path) => !/\.test\.ts$|log-events\.ts$/.test(path),
  )
  const code = paths.map(read).join('\n')
  expect(IDS.filter((id) => !code.includes(`'${id}'`) && !code.includes(`"event":"${id}"`))).toEqual([])
})

test.each(IDS)('%s is an id with a dot, and its message is a sentence', (id) => {
  expect(id).toMatch(/^[a-z_]+\.[a-z_]+$/)
  expect(LOG_EVENTS[id as keyof typeof LOG_EVENTS]).toMatch(/^[A-Z].*\.$/)
})
