import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../servers/free-port.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from '../browser/open-phone.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { obtainNode, runNpm } from './nodes.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const PACKED_BYTES_MAX = 6_000_000
const UNPACKED_BYTES_MAX = 20_000_000
const PATIENCE = { timeout: 60_000, interval: 100 }

interface Packed {
  filename: string
  size: number
  unpackedSize: number
  files: { path: string }[]
}

let packed: Packed
/** Folder into which only the package was installed. */
let installed: string
let scratch: string
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sluice-package-'))
  const output = await runNpm(
    ['pack', '--workspace=sluice', '--json', `--pack-destination=${scratch}`],
    REPOSITORY,
  )
  const [first] = [JSON.parse(output.slice(output.search(/^[[{]/m)))].flat().flatMap(entriesOf)
  if (first === undefined) throw new Error(`npm pack printed ${output}`)
  packed = first
  installed = mkdtempSync(join(scratch, 'installed-'))
  const archive = join(scratch, packed.filename)
  await runNpm(
    ['install', '--prefix', installed, '--cache', join(scratch, 'cache'), '--offline', archive],
    installed,
  )
}, 300_000)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Newer versions of npm print an object by package name, older ones a list. */
function entriesOf(printed: Packed | Record<string, Packed>): Packed[] {
  return 'filename' in printed ? [printed as Packed] : Object.values(printed)
}

test('the package is small and has nothing but what runs', () => {
  expect(packed.filename).toMatch(/^sluice-\d+\.\d+\.\d+\.tgz$/)
  expect(packed.size).toBeLessThanOrEqual(PACKED_BYTES_MAX)
  expect(packed.unpackedSize).toBeLessThanOrEqual(UNPACKED_BYTES_MAX)
  const paths = packed.files.map(({ path }) => path)
  expect(paths.filter((path) => /\.ts$|\.pem$|\.test\.|node_modules/.test(path))).toEqual([])
  for (const path of [
    'README.md',
    'LICENSE',
    'console/dist/index.html',
    'dist/main.js',
    'presets/openai.yaml',
  ])
    expect(paths).toContain(path)
  const manifest = JSON.parse(readFileSync(join(installed, 'node_modules/sluice/package.json'), 'utf8'))
  expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual([])
  expect(Object.keys(manifest.scripts)).toEqual(['prepack'])
  expect(manifest.engines).toEqual({ node: '>=24' })
  expect(readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'sluice',
  ])
})

test('the licence of every bundled package is in it', () => {
  const licences = readFileSync(join(installed, 'node_modules/sluice/LICENSES-OF-OTHERS.txt'), 'utf8')
  for (const name of ['pg', 'kysely', 'undici', 'ws', 'yaml', '@redis/client', 'commander', 'prom-client'])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
})

test.each([20, 22] as const)('Node %i: one clear sentence and what to do', async (major) => {
  const node = await obtainNode(major)
  const { status, stdout, stderr } = spawnSync(node, [program()], { cwd: dataFolder(), encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^Sluice needs Node 24 or newer; this is Node 2[02]\..*\nInstall a newer Node .*\n$/)
})

test.each([
  ['24', () => obtainNode(24)],
  ['that runs the tests', async () => process.execPath],
] as const)(
  'Node %s: a video, a text reply and the console, in an empty folder',
  async (_, nodeOf) => {
    const folder = dataFolder()
    const server = await startIn(folder, await nodeOf())
    const { baseUrl, key } = server
    const task = await post(`${baseUrl}/v1/video/generations`, key, {
      model: 'vendorA/gen-2.0',
      content: [{ type: 'text', text: 'A barge passes a lock at dawn' }],
    })
    const read = () => get(`${baseUrl}/v1/video/generations/${task.id}`, key)
    await expect.poll(read, PATIENCE).toMatchObject({ status: 'succeeded' })
    const clip = await fetch((await read()).content.video_url)
    expect(Buffer.from(await clip.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
    const reply = await post(`${baseUrl}/v1/messages`, key, {
      model: 'vendorD/text-large',
      max_tokens: 50,
      messages: [{ role: 'user', content: 'Which way does the water go?' }],
    })
    expect(reply).toMatchObject({ type: 'message', content: [{ type: 'text' }] })
    await openConsole(server.signInUrl)
    expect(await server.stop()).toBe(0)
    expect(readdirSync(folder)).toEqual(['data'])
  },
  LAUNCH_TIMEOUT_MS,
)

function program(): string {
  return join(installed, 'node_modules/sluice/bin/sluice.js')
}

async function startIn(folder: string, node: string) {
  const port = await freePort()
  const { HOME, TMPDIR } = process.env
  const env = { PATH: dirname(node), HOME, TMPDIR, PORT: `${port}`, ADMIN_API_KEY: 'a-key-of-the-test' }
  const child = spawn(node, [program()], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.once('exit', resolve)
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await expect.poll(() => output, PATIENCE).toMatch(/Reference: http/)
  expect(output).toContain(`store: SQLite in ${join(folder, 'data')}`)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    key: output.match(/sk-sluice-[\w-]{48}/)?.[0] ?? '',
    signInUrl: output.match(/^ {2}(http\S+\/console\S+)$/m)?.[1] ?? '',
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

async function openConsole(signInUrl: string): Promise<void> {
  const browser = await launchChromium()
  try {
    const { page, complaints } = await openPhone(browser)
    await page.goto(signInUrl)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  } finally {
    await browser.close()
  }
}

interface Answer {
  id: string
  content: { video_url: string }
}

async function post(url: string, key: string, body: object): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
  }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as Answer
}

async function get(url: string, key: string): Promise<Answer> {
  return (await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json()) as Answer
}
