import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url))
const KEY = 'sk-a-long-key-of-the-vendor-wxyz'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-providers-'))
  expect(sluice('migrate').status).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The real program on a SQLite store of its own; `input` is its standard input. */
function sluice(line: string, input = '') {
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' }
  const words = line.split(' ')
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    ...{ cwd: folder, env, input, encoding: 'utf8', timeout: 60_000 },
  })
  return { status, stdout, stderr }
}

test('provider add, show, update, disable, enable, list and remove, with a key that is never shown', () => {
  const shown: string[] = []
  const ok = (line: string, input?: string) => {
    const { status, stdout, stderr } = sluice(line, input)
    expect(stderr + stdout).not.toContain(KEY)
    expect({ line, status, stderr }).toMatchObject({ status: 0 })
    shown.push(stdout)
    return stdout
  }
  expect(ok('provider add --preset openai --key-stdin', `${KEY}\n`)).toContain(
    'The provider openai is added.',
  )
  expect(ok('provider show openai')).toMatch(/openai +text +store +active +https:\/\/api\.openai\.com/)
  expect(shown.at(-1)).toContain('Keys end with: wxyz')
  writeFileSync(join(folder, 'change.json'), JSON.stringify({ models: { 'gpt-5': 'responses' } }))
  ok('provider update openai change.json --base-url https://proxy.example')
  expect(JSON.parse(ok('provider show openai --json'))).toMatchObject({
    ...{ base_url: 'https://proxy.example', models: ['gpt-5'], key_hints: ['wxyz'], state: 'active' },
  })
  ok('provider disable openai')
  expect(ok('provider list')).toMatch(/openai +text +store +disabled/)
  ok('provider enable openai')
  expect(JSON.parse(ok('provider list --json'))).toMatchObject([{ name: 'openai', state: 'active' }])
  ok('provider remove openai')
  ok('provider add --preset byteplus --key-stdin', `${KEY}\n`)
  expect(ok('provider show byteplus')).toMatch(
    /byteplus +vendor-a +store +active +https:\/\/ark\.ap-southeast/,
  )
  ok('provider remove byteplus')
  expect(JSON.parse(ok('provider list --json'))).toEqual([])
  expect(readFileSync(join(folder, 'data', 'sluice.db')).includes(KEY)).toBe(false)
})

test('provider add FILE accepts one provider with its name, or a map of several', () => {
  const provider = { driver: 'text', base_url: 'https://a.example', api_key: KEY, models: { m: 'chat' } }
  writeFileSync(join(folder, 'one.json'), JSON.stringify({ name: 'one', ...provider }))
  writeFileSync(join(folder, 'map.yaml'), JSON.stringify({ providers: { two: provider, three: provider } }))
  expect(sluice('provider add one.json').status).toBe(0)
  expect(sluice('provider add map.yaml').status).toBe(0)
  const listed = JSON.parse(sluice('provider list --json').stdout) as { name: string }[]
  expect(listed.map(({ name }) => name)).toEqual(['one', 'three', 'two'])
  const again = sluice('provider add one.json')
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('is there already') })
})

test.each([
  ['a preset without its key', 'provider add --preset openai', /api_key: it is missing/],
  ['an unknown preset', 'provider add --preset opnai', /Did you mean openai\?/],
  ['neither a file nor a preset', 'provider add', /--preset/],
  ['a file that is not there', 'provider add nothing.yaml', /there is no such file/],
  ['an address of this machine', 'provider add --preset ollama', /OUTBOUND_ALLOW/],
  ['a name of this machine', 'provider add --preset ollama --base-url http://localhost:1', /OUTBOUND_ALLOW/],
  ['an unknown provider', 'provider disable nothing', /There is no provider nothing/],
])('provider: %s is refused', (_what, line, text) => {
  const { status, stderr } = sluice(line)
  expect(status).toBe(1)
  expect(stderr).toMatch(text)
})
