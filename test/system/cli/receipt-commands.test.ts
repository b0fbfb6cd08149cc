import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { makeSigningKey, sha256, signJws } from '../../../src/adapters/system/signatures.ts'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-receipts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OLD = makeSigningKey()
const NEW = makeSigningKey()
const keysFile = write('keys.json', {
  keys: [NEW, OLD].map(({ id, publicKey }) => ({ kty: 'OKP', crv: 'Ed25519', x: publicKey, kid: id })),
})

/** Four of one chain; the key was changed in the middle. */
const files = chainOf([OLD, OLD, NEW, NEW])
const [first = '', second = '', third = '', fourth = ''] = files

function write(name: string, value: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(value))
  return path
}

function chainOf(keys: readonly (typeof OLD)[]): string[] {
  let previous: string | null = null
  return keys.map((key, index) => {
    const number = index + 1
    const said = { organization_id: 'org_1', number, previous, task_id: `task_${number}`, amount_micros: 7 }
    const jws = signJws(JSON.stringify(said), key)
    previous = sha256(`${jws.protected}.${jws.payload}.${jws.signature}`)
    return write(`${number}.json`, jws)
  })
}

function changed(file: string): string {
  const jws = JSON.parse(readFileSync(file, 'utf8'))
  const said = JSON.parse(Buffer.from(jws.payload, 'base64url').toString())
  const payload = Buffer.from(JSON.stringify({ ...said, amount_micros: 8 })).toString('base64url')
  return write('changed.json', { ...jws, payload })
}

describe('sluice receipt verify', () => {
  const verify = (...words: string[]) =>
    run(['receipt', 'verify', ...words, '--keys', keysFile], fakeServices().services)

  test('says of each receipt what it is for, and needs no store', async () => {
    const { exitCode, result, notice } = await verify(...files)
    expect({ exitCode, notice }).toEqual({ exitCode: 0, notice: '' })
    expect(result.split('\n').slice(0, 4)).toEqual(
      files.map(
        (file, index) => `ok      ${file}: number ${index + 1} of org_1, task_${index + 1}, 7 micros`,
      ),
    )
    expect(result).toContain('All receipts hold.')
  })

  test.each([
    ['changed', () => [first, changed(second), third], `it was changed`],
    ['removed', () => [first, third, fourth], 'MISSING receipt 2 of org_1'],
    ['two removed', () => [first, fourth], 'MISSING receipt 2 to 3 of org_1'],
    ['reordered', () => [first, third, second, fourth], 'MOVED   receipt 2 of org_1'],
    ['there twice', () => [first, second, second], 'MOVED   receipt 2 of org_1'],
    ['no receipt', () => [keysFile], 'this is no receipt'],
  ])('names one that is %s, and ends with 1', async (_name, given, said) => {
    const { exitCode, result } = await verify(...given())
    expect({ exitCode, result }).toEqual({ exitCode: 1, result: expect.stringContaining(said) })
    expect(result).toContain('The receipts do not hold.')
  })

  test('as JSON it says the same', async () => {
    const { exitCode, result } = await verify(first, third, '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(result)).toMatchObject({
      ok: false,
      receipts: [{ file: first, valid: true, receipt: { number: 1 } }, { valid: true }],
      chain: [{ organization_id: 'org_1', kind: 'missing', from: 2, to: 2 }],
    })
  })

  test('a file that is not there, or is no key set, is named', async () => {
    expect(await verify(join(folder, 'none.json'))).toMatchObject({
      exitCode: 1,
      notice: expect.stringMatching(/none\.json: there is no such file/),
    })
    const wrong = await run(['receipt', 'verify', first, '--keys', first], fakeServices().services)
    expect(wrong).toMatchObject({ exitCode: 1, notice: expect.stringMatching(/no JSON Web Key Set/) })
  })

  test('without --keys the keys of the store count', async () => {
    const { exitCode, result } = await run(['receipt', 'verify', first], fakeServices().services)
    expect(exitCode).toBe(1)
    expect(result).toContain('signed by a key that the key set does not have')
  })
})

test('sluice receipt rotate-key says which key signs', async () => {
  const { services, calls } = fakeServices()
  const { exitCode, result } = await run(['receipt', 'rotate-key', '--json'], services)
  expect({ exitCode, result: JSON.parse(result) }).toEqual({
    exitCode: 0,
    result: { kid: 'kid_2', earlier_keys: 1 },
  })
  expect(calls).toContainEqual(['rotateReceiptKey'])
})

const call = promisify(execFile)

/** Whether this machine has what the program needs. */
async function has(program: string, words: string[]): Promise<boolean> {
  return call(program, words).then(
    () => true,
    () => false,
  )
}

const LANGUAGES = [
  { language: 'ts', program: process.execPath, words: [], isHere: true },
  {
    language: 'python',
    program: 'python3',
    words: [],
    isHere: await has('python3', ['-c', 'import cryptography']),
  },
  { language: 'go', program: 'go', words: ['run'], isHere: await has('go', ['version']) },
]

function codeOf(language: string): string {
  const page = readFileSync(new URL('../../../docs/receipts.md', import.meta.url), 'utf8')
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''
}

test.each(LANGUAGES)('docs/receipts.md has a program in $language', ({ language }) => {
  expect(codeOf(language).length).toBeGreaterThan(500)
})

/** Those whose language this machine has. */
describe.each(LANGUAGES.filter(({ isHere }) => isHere))('it in $language', ({ language, program, words }) => {
  const file = join(folder, `verify.${language === 'python' ? 'py' : language}`)
  writeFileSync(file, codeOf(language))
  const verify = (...receipts: string[]) => call(program, [...words, file, keysFile, ...receipts])

  test('accepts a chain across a change of the key', async () => {
    const { stdout } = await verify(...files)
    const lines = files.map((name, index) => `${name}: number ${index + 1}, 7 micros`)
    expect(stdout.trim().split('\n')).toEqual(lines)
  })

  test.each([
    ['changed', () => [first, changed(second)]],
    ['removed', () => [first, third]],
    ['reordered', () => [second, first]],
    ['of another key', () => [write('foreign.json', signJws('{"number":1}', makeSigningKey()))]],
  ])('refuses one that is %s', async (_name, given) => {
    await expect(verify(...given())).rejects.toMatchObject({ code: 1 })
  })
})
