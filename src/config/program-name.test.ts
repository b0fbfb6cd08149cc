import { basename, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isRunByNpm, pasteable, programName } from './program-name.ts'

test.each([
  ['installed for everyone', '/usr/bin:/usr/local/bin', ['/usr/local/bin/sluice'], 'sluice'],
  ['a clone by npx', '/app/node_modules/.bin:/usr/bin', ['/app/node_modules/.bin/sluice'], 'npx sluice'],
  [
    'npx of an empty folder',
    '/cache/_npx/1f/node_modules/.bin:/usr/bin',
    ['/cache/_npx/1f/node_modules/.bin/sluice'],
    'npx sluice',
  ],
  ['called by its path', '/usr/bin', [], 'npx sluice'],
  ['an empty PATH', '', ['sluice'], 'npx sluice'],
])('%s', (_name, PATH, programs: string[], name) => {
  expect(programName({ PATH }, (path) => programs.includes(path))).toBe(name)
})

test.each([
  ['Next: sluice user create --org org_1', 'Next: npx sluice user create --org org_1'],
  ['sluice doctor, which says', 'npx sluice doctor, which says'],
  ['"sluice org list" lists them.', '"npx sluice org list" lists them.'],
  ['Right form:   sluice org erase <id>', 'Right form:   npx sluice org erase <id>'],
  ['a\n  sluice migrate\n  sluice serve', 'a\n  npx sluice migrate\n  npx sluice serve'],
  [
    'sluice user list --org <id>   or   sluice key list',
    'npx sluice user list --org <id>   or   npx sluice key list',
  ],
  ['docker compose exec sluice sluice doctor', 'docker compose exec sluice sluice doctor'],
  ['Change sluice.yaml, or "npx sluice init"', 'Change sluice.yaml, or "npx sluice init"'],
  [
    'sluice migrate && sluice doctor, sluice serve, or sluice org list',
    'npx sluice migrate && npx sluice doctor, npx sluice serve, or npx sluice org list',
  ],
  ['org_1  The sluice company', 'org_1  The sluice company'],
])('%s', (text, pasted) => {
  expect(pasteable(text, 'npx sluice')).toBe(pasted)
  expect(pasteable(text, 'sluice')).toBe(text)
})

test.each([
  ['the clone', '.', 'see docs/errors.md and sluice.example.yaml'],
  [
    'the folder above',
    '..',
    `see ${basename(resolve('.'))}/docs/errors.md and ${basename(resolve('.'))}/sluice.example.yaml`,
  ],
  ['another folder', 'src', `see ${resolve('docs/errors.md')} and ${resolve('sluice.example.yaml')}`],
])('pages are named by their paths from %s', (_name, folder, text) => {
  expect(pasteable('see docs/errors.md and sluice.example.yaml', 'sluice', resolve(folder))).toBe(text)
})

test('npm runs a process for npx and npm start', () => {
  expect(
    ['npx', 'start', 'test', undefined].map((name) => isRunByNpm({ npm_lifecycle_event: name })),
  ).toEqual([true, true, false, false])
})
