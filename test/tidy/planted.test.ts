import { describe, expect, test } from 'vitest'
import { PLANTED_WORDS, type Plants } from './planted-words.ts'
import { RULES } from './rules/index.ts'
import { scanTree } from './source-tree.ts'

const TIDY = {
  'package.json': '{ "dependencies": { "pg": "1.0.0" }, "devDependencies": { "vitest": "1.0.0" } }',
  'src/main.ts': "import { run } from './cli/run.ts'\nrun()\n",
  'src/cli/run.ts': "import { compose } from '../compose.ts'\nexport const run = () => compose()\n",
  'src/compose.ts':
    "import { open } from './adapters/postgres/open.ts'\nimport { create } from './app/create.ts'\nexport const compose = () => create(open())\n",
  'src/app/create.ts':
    "import type { Store } from '../ports/store.ts'\n// fetch( and Date.now() are only mentioned here\nexport const create = (store: Store) => store\n",
  'src/ports/store.ts':
    "import type { Task } from '../domain/task.ts'\nexport interface Store { find(at: Date): Task }\n",
  'src/domain/task.ts': 'export interface Task { at: Date }\nexport const first = () => new Date(0)\n',
  'src/adapters/postgres/open.ts':
    "import { Pool } from 'pg'\nimport { sql } from '../sql/statements.ts'\nexport const open = () => new Pool(sql, Date.now())\n",
  'src/adapters/sql/statements.ts': "export const sql = 'select 1'\n",
  'src/app/create.test.ts':
    "import { test } from 'vitest'\nimport { open } from '../adapters/postgres/open.ts'\ntest('at', () => open(Date.now()))\n",
}

function broken(planted: Record<string, string>): Record<string, string[]> {
  const tree = scanTree(new Map(Object.entries({ ...TIDY, ...planted })))
  const reports = Object.entries(RULES).map(([name, rule]) => [name, rule(tree)] as const)
  return Object.fromEntries(reports.filter(([, report]) => report.length > 0))
}

test('a tidy tree is left alone', () => {
  expect(broken({})).toEqual({})
})

/** Adds code to a file that `main.ts` reaches, so that only the tested rule reports it. */
function inTask(source: string): Record<string, string> {
  return { 'src/domain/task.ts': `${TIDY['src/domain/task.ts']}${source}\n` }
}

function inCompose(source: string): Record<string, string> {
  return { 'src/compose.ts': `${TIDY['src/compose.ts']}${source}\n` }
}

function reachable(path: string, source: string): Record<string, string> {
  return { [path]: source, ...inCompose(`export * from './${path.replace('src/', '')}'`) }
}

function inLock(found: object, name = 'left-pad'): Record<string, string> {
  const entry = { version: '1.0.0', integrity: 'sha512-x', ...found }
  return { 'package-lock.json': JSON.stringify({ packages: { '': {}, [`node_modules/${name}`]: entry } }) }
}

function manifest(more: object): string {
  return JSON.stringify({ ...JSON.parse(TIDY['package.json']), ...more })
}

const machinePath = ['', 'root', 'project'].join('/')
const later = ['TO', 'DO'].join('')

const PLANTED: Plants = {
  'arrows point inward': [
    [
      'a rule that imports a use case',
      inTask("export * from '../app/clock.ts'"),
      /task\.ts:3: .*src\/app\/clock/,
    ],
    ['only a type', inTask("import type { App } from '../app/clock.ts'"), /task\.ts:3/],
    ['in the middle of the code', inTask("const late = import('../http/server.ts')"), /task\.ts:3/],
    [
      'one adapter in another',
      reachable('src/adapters/redis/cache.ts', "import '../sql/statements.ts'\n"),
      /redis\/cache\.ts:1/,
    ],
    [
      'compose in an adapter',
      reachable('src/http/server.ts', "import '../config.ts'\n"),
      /http\/server\.ts:1/,
    ],
    ['a file outside the house', inTask("import '../../test/x.ts'"), /must not import test\/x\.ts/],
    ['an unknown layer', { 'src/services/mail.ts': '' }, /services\/mail\.ts: belongs to no layer/],
  ],
  'rooms import one way': [
    [
      'a sub-folder that imports a later one',
      {
        ...reachable('src/app/text/route/choose.ts', "import '../plan/plan.ts'\n"),
        'src/app/text/plan/plan.ts': '',
      },
      /route\/choose\.ts:1: route must not import src\/app\/text\/plan\/plan\.ts/,
    ],
    [
      'only a type of a file beside the sub-folders',
      {
        ...reachable('src/app/text/kept/keep.ts', "import type { Answer } from '../answer.ts'\n"),
        'src/app/text/answer.ts': '',
      },
      /kept\/keep\.ts:1: kept must not import src\/app\/text\/answer\.ts/,
    ],
    [
      'a dialect that asks the table of all dialects',
      {
        ...inCompose("export * from '@sluice/dialects/chat/read'"),
        'packages/dialects/src/chat/read.ts': "import '../dialects.ts'\n",
        'packages/dialects/src/dialects.ts': '',
      },
      /chat\/read\.ts:1: chat must not import packages\/dialects\/src\/dialects\.ts/,
    ],
    [
      'a sub-folder outside the order',
      reachable('src/app/text/extra/more.ts', ''),
      /extra\/more\.ts: extra has no place/,
    ],
  ],
  'packages stay at home': [
    ['pg in compose', inCompose("import 'pg'"), /compose\.ts:4: pg/],
    ["Node's own in a rule", inTask("import { hash } from 'node:crypto'"), /task\.ts:3: node:crypto/],
    ['a part of a module', inCompose("import 'node:dns/promises'"), /node:dns\/promises/],
  ],
  'packages are declared': [
    [
      'a package that is installed but not declared',
      reachable('src/cli/say.ts', "import 'commander'\n"),
      /commander is not declared/,
    ],
    ['a test tool in the program', inCompose("import 'vitest'"), /compose\.ts: vitest/],
    ['a package in a test', { 'test/api/x.test.ts': "import 'nock'\n" }, /nock is not declared/],
    [
      'a package without an import',
      { 'package.json': manifest({ dependencies: { pg: '1.0.0', 'left-pad': '1.0.0' } }) },
      /left-pad/,
    ],
  ],
  'packages are known': [
    ['an install script', inLock({ hasInstallScript: true }), /left-pad has an install script/],
    ['an allowed install script', { 'package.json': manifest({ allowScripts: { pg: true } }) }, /pg may run/],
    ['no hash', inLock({ integrity: '' }), /left-pad has no SHA-512/],
    ['no hash, optional', inLock({ integrity: '', dev: true, optional: true }), /left-pad has no SHA-512/],
    ['a script of Node', { 'package.json': manifest({ allowScripts: { node: true } }) }, /node may run/],
    ['an old version', inLock({ version: '8.9.0' }, 'pg'), /pg is 8\.9\.0, at least 8\.\d+\.\d+ is needed/],
    ['a range', { 'package.json': manifest({ optionalDependencies: { ws: '^26.0.0' } }) }, /\^26\.0\.0/],
  ],
  'no import leads back': [
    [
      'two files',
      {
        'src/domain/task.ts': "export * from './state.ts'\n",
        'src/domain/state.ts': "export * from './task.ts'\n",
      },
      /src\/domain\/task\.ts -> src\/domain\/state\.ts -> src\/domain\/task\.ts/,
    ],
    [
      'three files, by types alone',
      {
        'src/domain/task.ts': "import type { A } from './a.ts'\n",
        'src/domain/a.ts': "import type { B } from './b.ts'\n",
        'src/domain/b.ts': "import type { Task } from './task.ts'\n",
      },
      /task\.ts -> src\/domain\/a\.ts -> src\/domain\/b\.ts -> src\/domain\/task\.ts/,
    ],
    [
      'a page of the console and its words',
      {
        'console/src/pages/money.tsx': "import { moneyWords } from '../words/money.ts'\n",
        'console/src/words/money.ts': "import type { Page } from '../pages/money.tsx'\n",
      },
      /console\/src\/pages\/money\.tsx -> console\/src\/words\/money\.ts -> console\/src\/pages\/money\.tsx/,
    ],
    [
      'a page about reliability and its records',
      {
        'reliability/page.ts': "import type { Records } from './record.ts'\n",
        'reliability/record.ts': "import { writePage } from './page.ts'\n",
      },
      /reliability\/page\.ts -> reliability\/record\.ts -> reliability\/page\.ts/,
    ],
    ['a file that imports itself', inTask("export * from './task.ts'"), /task\.ts -> src\/domain\/task\.ts/],
  ],
  'every file is reached from main.ts': [
    ['a file without an import', { 'src/domain/lost.ts': '' }, /lost\.ts/],
    [
      'a file only a test imports',
      { 'src/domain/lost.ts': '', 'src/domain/lost.test.ts': "import './lost.ts'\n" },
      /lost\.ts/,
    ],
  ],
  'names say what is inside': [
    ['camel case', reachable('src/domain/taskState.ts', ''), /taskState\.ts is not in kebab-case/],
    ['a catch-all', reachable('src/domain/string-utils.ts', ''), /"utils"/],
    ['a folder as a catch-all', { 'test/helpers/x.ts': '' }, /"helpers"/],
    ['an index', reachable('src/domain/index.ts', ''), /index\.ts has no place/],
  ],
  'files are short': [['301 lines', inTask('//\n'.repeat(299)), /task\.ts: 301 lines/]],
  'the environment is read in config': [
    ['plainly', inTask('const port = process.env.PORT'), /task\.ts:3/],
    ['by a question mark', inCompose('const port = process?.env'), /compose\.ts:4/],
    ['taken apart', inCompose('const { env } = process'), /compose\.ts:4/],
    ['by another name', inCompose("import { env } from 'node:process'"), /compose\.ts:4/],
  ],
  'clock and chance come in as arguments': [
    ['Date.now', inTask('const at = Date.now()'), /task\.ts:3/],
    ['new Date()', inTask('const at = new Date()'), /task\.ts:3/],
    ['new Date', inTask('const at = new Date'), /task\.ts:3/],
    ['Date()', inTask('const at = Date()'), /task\.ts:3/],
    ['performance.now', inTask('const at = performance.now()'), /task\.ts:3/],
    ['process.hrtime', inTask('const at = process.hrtime.bigint()'), /task\.ts:3/],
    ['Math.random', inTask('const chance = Math.random()'), /task\.ts:3/],
    ['crypto.randomUUID', inTask('const id = crypto.randomUUID()'), /task\.ts:3/],
    ['getRandomValues', inTask('globalThis.crypto.getRandomValues(bytes)'), /task\.ts:3/],
    ['randomBytes', inCompose("import { randomBytes } from 'node:crypto'"), /compose\.ts:4/],
  ],
  'dialects are asked by row': [
    [
      'a comparison',
      inTask("const isOne = (name: string) => name === 'messages'"),
      /task\.ts:3: .*'messages'/,
    ],
    ['turned around', inTask("const isOther = (name: string) => 'chat' != name"), /task\.ts:3: .*'chat'/],
    [
      'a case',
      inTask("const say = (name: string) => {\n  switch (name) {\n    case 'responses':\n  }\n}"),
      /task\.ts:5: .*'responses'/,
    ],
  ],
  'no global fetch': [
    ['fetch', inTask("const answer = fetch('https://example.test')"), /task\.ts:3/],
    ['its long name', inTask('const call = globalThis.fetch'), /task\.ts:3/],
  ],
  'own answers carry our headers': [
    ['an answer with a head of its own', inTask('const answer = reply.raw.writeHead(200)'), /task\.ts:3/],
  ],
  'no default export': [
    ['export default', inTask('export default 1'), /task\.ts:3/],
    ['by renaming', inTask('export { first as default }'), /task\.ts:3/],
  ],
  'nothing is left for later': [
    ['in a comment', inTask(`// ${later}: more`), /task\.ts:3/],
    ['in a document', { 'docs/page.md': `${later}` }, /page\.md:1/],
  ],
  'every test runs': [
    ['skipped', { 'test/api/x.test.ts': `test.${'skip'}('x', () => {})\n` }, /x\.test\.ts:1/],
    ['alone', { 'src/domain/task.test.ts': `\ndescribe.${'only'}('x', () => {})\n` }, /task\.test\.ts:2/],
    ['promised', { 'test/api/x.test.ts': `test.${'todo'}('x')\n` }, /x\.test\.ts:1/],
    ['by condition', { 'test/api/x.test.ts': "test.skipIf(true)('x', () => {})\n" }, /x\.test\.ts:1/],
    ['by an option', { 'test/api/x.test.ts': "test('x', { skip: true }, () => {})\n" }, /x\.test\.ts:1/],
    ['by a later option', { 'test/api/x.test.ts': "it('x', {\n  retry: 1,\n  todo: isSlow }, run)\n" }, /:2/],
    ['alone by an option', { 'test/api/x.test.ts': "describe('x', { only: true }, run)\n" }, /x\.test\.ts:1/],
    ['in a contract', { 'test/api/x-contract.ts': "test('x', { skip: true }, run)\n" }, /x-contract\.ts:1/],
    ['from inside', { 'test/api/x.test.ts': "test('x', (context) => context.skip())\n" }, /x\.test\.ts:1/],
  ],
  'tests stand in a tier': [
    ['outside of every tier', { 'test/x.test.ts': '' }, /x\.test\.ts: no project/],
    [
      'a unit test that starts a server',
      {
        'src/domain/task.test.ts': "import { start } from '../../test/start.ts'\n",
        'test/start.ts': "export { createServer } from '../src/http/server/server.ts'\n",
        ...reachable('src/http/server/server.ts', 'export const createServer = () => 1\n'),
      },
      /task\.test\.ts: a unit test reaches src\/http\/server\/server\.ts/,
    ],
  ],
  'only tests sample': [
    ['in what a test starts', { 'test/start.ts': 'fc.assert(all, runs(3_000))' }, /start\.ts:1/],
    ['by asking', { 'test/start.ts': 'const some = isFullRun() ? all : []' }, /start\.ts:1/],
    ['by a number', { 'test/start.ts': 'const few = drawsOf(COUNTS)' }, /start\.ts:1/],
  ],
  'no trace of one machine': [
    ['a path', { 'docs/page.md': `see ${machinePath}` }, /page\.md:1/],
    ['a registry', { 'README.md': ['https:/', 'registry.example.test', 'x'].join('/') }, /README\.md:1/],
    ['a locked address', { 'package-lock.json': `{\n  "${'resolved'}": "x"\n}` }, /package-lock\.json:2/],
    ['a setting', { '.npmrc': 'registry=x' }, /\.npmrc:1/],
  ],
  ...PLANTED_WORDS,
}

test('every rule has something planted against it', () => {
  expect(Object.keys(PLANTED)).toEqual(Object.keys(RULES))
})

describe.each(Object.entries(PLANTED))('%s', (rule, plants) => {
  test.each(plants)('%s', (_name, files, report) => {
    expect(broken(files)[rule]).toEqual([expect.stringMatching(report)])
  })
})
