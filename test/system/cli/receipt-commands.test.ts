import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSigningKey, sha256, signJws } from '../../../src/adapters/system/signatures.ts'
import { openReceipt, readKeySet } from '../../../src/compose/receipts.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { installFromDebian, obtainBinary } from '../../servers/obtain-binary.ts'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-receipts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OLD = makeSigningKey()
const NEW = makeSigningKey()
const keysFile = write('keys.json', {
  keys: [NEW, OLD].map(({ id, publicKey }) => ({ kty: 'OKP', crv: 'Ed25519', x: publicKey, kid: id })),
})

/** A chain of four receipts: the key changed in the middle, and the last one belongs to a revocation. */
const LAST = { ...NEW }
const files = chainOf([OLD, OLD, NEW, LAST])
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
    const of = key === LAST ? { group_id: 'group_1' } : { task_id: `task_${number}`, amount_micros: 7 }
    const said = { organization_id: 'org_1', number, previous, ...of }
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

/** The file with one byte changed. */
function withByte(file: string, at: number, byte?: number): string {
  const bytes = readFileSync(file)
  bytes[at] = byte ?? (bytes[at] ?? 0) ^ 1
  const path = join(folder, `${basename(file)}-${at}`)
  writeFileSync(path, bytes)
  return path
}

/**
 * Positions of an early byte of each part of a receipt, and of the last byte of the signature, which has bits that
 * decode to nothing.
 */
function placesIn(file: string): number[] {
  const text = readFileSync(file, 'utf8')
  const tenths = ['payload', 'protected', 'signature'].map(
    (name) => text.indexOf(`"${name}":"`) + name.length + 14,
  )
  return [...tenths, text.lastIndexOf('"') - 1]
}

describe('sluice receipt verify', () => {
  const verify = (...words: string[]) =>
    run(['receipt', 'verify', ...words, '--keys', keysFile], fakeServices().services)

  test('describes each receipt, and needs no store', async () => {
    const { exitCode, result, notice } = await verify(...files)
    expect({ exitCode, notice }).toEqual({ exitCode: 0, notice: '' })
    expect(result.split('\n').slice(0, 4)).toEqual(
      [...[1, 2, 3].map((number) => `task_${number}, 7 micros`), 'group_1, 0 micros'].map(
        (of, index) => `ok      ${files[index]}: number ${index + 1} of org_1, ${of}`,
      ),
    )
    expect(result).toContain('All receipts are valid.')
  })

  test.each([
    ['changed', () => [first, changed(second), third], `it was changed`],
    ['removed', () => [first, third, fourth], 'MISSING receipt 2 of org_1'],
    ['two removed', () => [first, fourth], 'MISSING receipt 2 to 3 of org_1'],
    ['reordered', () => [first, third, second, fourth], 'MOVED   receipt 2 of org_1'],
    ['there twice', () => [first, second, second], 'MOVED   receipt 2 of org_1'],
    ['no receipt', () => [keysFile], 'this is not a receipt'],
  ])('names a receipt that is %s, and ends with 1', async (_name, given, said) => {
    const { exitCode, result } = await verify(...given())
    expect({ exitCode, result }).toEqual({ exitCode: 1, result: expect.stringContaining(said) })
    expect(result).toContain('Not all receipts are valid.')
  })

  test('finds every changed byte, in a single file and in a chain of three', async () => {
    const { integer } = seededRandom(seedOfRun())
    const chain = [first, second, third]
    for (const [index, file] of chain.entries()) {
      const bytes = readFileSync(file)
      const variants = [...bytes].map((byte, at) => withByte(file, at, (byte + integer(1, 255)) % 256))
      // One command reads all files.
      const { exitCode, result } = await verify(...variants, '--json')
      expect(exitCode).toBe(1)
      const { receipts } = JSON.parse(result)
      expect(receipts).toHaveLength(bytes.length)
      expect(receipts.filter(({ valid }: { valid: boolean }) => valid)).toEqual([])
      const keysOfFile = readKeySet(readFileSync(keysFile, 'utf8')) ?? new Map()
      for (const variant of variants) {
        const opened = chain
          .with(index, variant)
          .map((path) => openReceipt(readFileSync(path, 'utf8'), keysOfFile))
        expect(opened.map(({ fault }) => fault !== undefined)).toEqual(chain.map((_, at) => at === index))
      }
    }
  })

  test('finds a receipt removed from the middle of four, and every wrong order', async () => {
    for (const at of [1, 2]) expect((await verify(...files.toSpliced(at, 1))).exitCode).toBe(1)
    const orders = permutationsOf(files)
    expect(orders).toHaveLength(24)
    for (const order of orders) {
      const isRight = order.every((file, at) => file === files[at])
      expect({ order, exitCode: (await verify(...order)).exitCode }).toEqual({
        ...{ order, exitCode: isRight ? 0 : 1 },
      })
    }
  })

  test('prints the same as JSON', async () => {
    const { exitCode, result } = await verify(first, third, '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(result)).toMatchObject({
      ok: false,
      receipts: [{ file: first, valid: true, receipt: { number: 1 } }, { valid: true }],
      chain: [{ organization_id: 'org_1', kind: 'missing', from: 2, to: 2 }],
    })
  })

  test('a file that is missing, or is not a key set, is named', async () => {
    expect(await verify(join(folder, 'none.json'))).toMatchObject({
      exitCode: 1,
      notice: expect.stringMatching(/none\.json: there is no such file/),
    })
    const wrong = await run(['receipt', 'verify', first, '--keys', first], fakeServices().services)
    expect(wrong).toMatchObject({ exitCode: 1, notice: expect.stringMatching(/not a JSON Web Key Set/) })
  })

  test('without --keys the keys of the store count', async () => {
    const { exitCode, result } = await run(['receipt', 'verify', first], fakeServices().services)
    expect(exitCode).toBe(1)
    expect(result).toContain('signed by a key that the key set does not have')
  })
})

test('sluice receipt rotate-key names the signing key', async () => {
  const { services, calls } = fakeServices()
  const { exitCode, result } = await run(['receipt', 'rotate-key', '--json'], services)
  expect({ exitCode, result: JSON.parse(result) }).toEqual({
    exitCode: 0,
    result: { kid: 'kid_2', earlier_keys: 1 },
  })
  expect(calls).toContainEqual(['rotateReceiptKey'])
})

function permutationsOf(list: readonly string[]): string[][] {
  if (list.length < 2) return [[...list]]
  return list.flatMap((one, at) => permutationsOf(list.toSpliced(at, 1)).map((rest) => [one, ...rest]))
}

const call = promisify(execFile)

async function has(program: string, words: string[]): Promise<boolean> {
  return call(program, words).then(
    () => true,
    () => false,
  )
}

type Command = [program: string, ...words: string[]]

const GO = { binaries: ['go'], debianPackage: 'golang-go', homebrewPackage: 'go' }
/** Time to install missing tools of a language first. */
const PREPARE_TIMEOUT_MS = 660_000

/** A program of Go is built once; the others run as they are. */
async function buildGo(file: string): Promise<Command> {
  const program = file.replace(/\.go$/, '')
  await call(obtainBinary(GO), ['build', '-o', program, file], {
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  })
  return [program]
}

/** The program needs the package cryptography, which Debian has for its own Python. */
async function findPython(file: string): Promise<Command> {
  const debian = '/usr/bin/python3'
  for (const program of ['python3', debian])
    if (await has(program, ['-c', 'import cryptography'])) return [program, file]
  installFromDebian('python3-cryptography')
  return [debian, file]
}

const LANGUAGES = [
  {
    language: 'ts',
    ending: 'ts',
    commandOf: async (file: string): Promise<Command> => [process.execPath, file],
  },
  { language: 'python', ending: 'py', commandOf: findPython },
  { language: 'go', ending: 'go', commandOf: buildGo },
]

function codeOf(ending: string): string {
  return readFileSync(new URL(`../../../examples/verify-receipts.${ending}`, import.meta.url), 'utf8')
}

describe.each(LANGUAGES)('the program in $language', ({ ending, commandOf }) => {
  let command: Command
  beforeAll(async () => {
    const file = join(folder, `verify.${ending}`)
    writeFileSync(file, codeOf(ending))
    command = await commandOf(file)
  }, PREPARE_TIMEOUT_MS)
  const verify = (...receipts: string[]) => {
    const [program, ...words] = command
    return call(program, [...words, keysFile, ...receipts])
  }

  test('accepts a chain across a change of the key', async () => {
    const { stdout } = await verify(...files)
    const lines = files.map((name, index) => `${name}: number ${index + 1}, ${index === 3 ? 0 : 7} micros`)
    expect(stdout.trim().split('\n')).toEqual(lines)
  })

  test.each([
    ['changed', () => [first, changed(second)]],
    ['changed by a byte of its payload', () => [first, withByte(second, placesIn(second)[0] ?? 0)]],
    ['changed by a byte of its header', () => [first, withByte(second, placesIn(second)[1] ?? 0)]],
    ['changed by a byte of its signature', () => [first, withByte(second, placesIn(second)[2] ?? 0)]],
    ['changed by the last byte of its signature', () => [first, withByte(second, placesIn(second)[3] ?? 0)]],
    ['removed', () => [first, third]],
    ['reordered', () => [first, third, second]],
    ['reordered, from the start', () => [second, first]],
    ['of another key', () => [write('foreign.json', signJws('{"number":1}', makeSigningKey()))]],
  ])('refuses a receipt that is %s', async (_name, given) => {
    await expect(verify(...given())).rejects.toMatchObject({ code: 1 })
  })
})
