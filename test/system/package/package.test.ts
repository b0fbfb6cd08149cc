import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../servers/free-port.ts'
import { LAUNCH_TIMEOUT_MS, launchChromium, openPhone } from '../browser/open-phone.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { obtainNode, runNpm } from './nodes.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const PACKED_BYTES_MAX = 6_000_000
const UNPACKED_BYTES_MAX = 20_000_000
/** Maximum source text that `--help` loads, so that it answers within 300 ms of processor time. */
const HELP_BYTES_MAX = 450_000
const PATIENCE = { timeout: 60_000, interval: 100 }

const VERSION: string = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')).version
const SCRATCH = mkdtempSync(join(tmpdir(), 'sluice-package-'))
const TREE = join(SCRATCH, 'tree')
const RELEASE = join(TREE, 'release')
const ARCHIVE = join(RELEASE, `sluice-${VERSION}.tgz`)
const CLIENT = join(RELEASE, `sluice-client-${VERSION}.tgz`)
const DIALECTS = join(RELEASE, `sluice-dialects-${VERSION}.tgz`)
/** Folder into which only the packages of a release were installed. */
const INSTALLED = join(SCRATCH, 'installed')

/** Packs a copy of the tree, because other tests import the dialects, whose manifest changes during packing. */
beforeAll(async () => {
  const isLeftOut = /\/(node_modules|\.git|data|release|test)$/
  cpSync(REPOSITORY, TREE, { recursive: true, filter: (path) => !isLeftOut.test(path) })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(TREE, 'node_modules'))
  await runNpm(['run', 'release', '--', '--dry-run'], TREE)
  mkdirSync(INSTALLED)
  const emptyCache = ['--cache', join(SCRATCH, 'cache'), '--offline']
  await runNpm(['install', '--prefix', INSTALLED, ...emptyCache, ARCHIVE, CLIENT, DIALECTS], INSTALLED)
}, 300_000)
afterAll(() => rmSync(SCRATCH, { recursive: true, force: true }))

test('a release has the packages, the chart, an SBOM, notes, and the checksum of each', () => {
  const names = readdirSync(RELEASE).filter((name) => name !== 'SHA256SUMS')
  expect(names).toEqual([
    'NOTES.md',
    'sbom.cdx.json',
    `sluice-${VERSION}.tgz`,
    `sluice-chart-${VERSION}.tgz`,
    basename(CLIENT),
    basename(DIALECTS),
  ])
  const sums = names.map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(RELEASE, name)))
      .digest('hex')
    return `${sum}  ${name}\n`
  })
  expect(readFileSync(join(RELEASE, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''))
  expect(readFileSync(join(RELEASE, 'NOTES.md'), 'utf8')).toMatch(/^### Added$/m)
  expect(filesIn(join(RELEASE, `sluice-chart-${VERSION}.tgz`))).toContain('sluice/Chart.yaml')
})

test('the package is small and has only the files that it needs', () => {
  expect(statSync(ARCHIVE).size).toBeLessThanOrEqual(PACKED_BYTES_MAX)
  const paths = filesIn(ARCHIVE).map((path) => path.replace(/^package\//, ''))
  const sizes = paths.map((path) => statSync(join(INSTALLED, 'node_modules/sluice', path)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(UNPACKED_BYTES_MAX)
  expect(paths.filter((path) => /\.ts$|\.pem$|\.test\.|node_modules/.test(path))).toEqual([])
  for (const path of [
    'README.md',
    'LICENSE',
    'compose.yaml',
    'docs/configuration.md',
    'sluice.example.yaml',
    'console/dist/index.html',
    'dist/main.js',
    'presets/openai.yaml',
  ])
    expect(paths).toContain(path)
  const manifest = JSON.parse(readFileSync(join(INSTALLED, 'node_modules/sluice/package.json'), 'utf8'))
  expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual([])
  expect(Object.keys(manifest.scripts)).toEqual(['prepack'])
  expect(manifest.engines).toEqual({ node: '>=24' })
  const others = readdirSync(join(INSTALLED, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(others).toEqual(['@sluice', 'sluice'])
})

test.each([
  [
    'dialects',
    DIALECTS,
    'dialects',
    "Object.keys((await import('@sluice/dialects/dialects')).CLIENT_DIALECTS)",
    'messages,responses,chat',
  ],
  [
    'client',
    CLIENT,
    'client',
    "Object.keys((await import('@sluice/client')).createClient({ baseUrl: 'http://a' }))",
    'videos,assets,people',
  ],
  [
    'client for files',
    CLIENT,
    'provenance',
    "Object.keys(await (await import('@sluice/client/provenance')).readProvenance(Buffer.from('text')))",
    'sha256,bytes,media_type',
  ],
])('the %s are JavaScript with types, and load without the gateway', (name, archive, entry, names, first) => {
  const { stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `console.log(${names}.slice(0, 3).join())`],
    { cwd: INSTALLED, encoding: 'utf8' },
  )
  expect({ name, stdout }).toEqual({ name, stdout: `${first}\n` })
  const paths = filesIn(archive)
  expect(paths.filter((path) => /(?<!\.d)\.ts$|\.test\./.test(path))).toEqual([])
  expect(paths).toEqual(
    expect.arrayContaining([
      ...['package/LICENSE', 'package/README.md'],
      ...[`package/dist/${entry}.js`, `package/dist/${entry}.d.ts`],
    ]),
  )
})

function filesIn(archive: string): string[] {
  return execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n')
}

test('the licence of every bundled package is in it', () => {
  const licences = readFileSync(join(INSTALLED, 'node_modules/sluice/LICENSES-OF-OTHERS.txt'), 'utf8')
  for (const name of ['pg', 'kysely', 'undici', 'ws', 'yaml', '@redis/client', 'commander', 'prom-client'])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
})

test.each([20, 22] as const)('Node %i: one clear sentence and a fix', async (major) => {
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
    const pasted = promisify(execFile)('sh', ['-euc', server.block()], { cwd: folder })
    expect((await pasted).stdout).toMatch(
      /"type":"message".*"text":"You said: Which way does the water go\?".*\}\n$/,
    )
    expect(readFileSync(join(folder, 'clip.mp4')).toString('latin1', 4, 8)).toBe('ftyp')
    await openConsole(server.signInUrl)
    expect(await server.stop()).toBe(0)
    expect(readdirSync(folder)).toEqual(['clip.mp4', 'data'])
  },
  LAUNCH_TIMEOUT_MS,
)

function program(): string {
  return join(INSTALLED, 'node_modules/sluice/bin/sluice.js')
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
    /** The lines to paste, as they were printed. */
    block: () => output.match(/^Paste this .*\n\n((?: {2}.*\n)+)\n/m)?.[1] ?? '',
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

test('the end of npx is the end of the server', async () => {
  const port = await freePort()
  const env = { ...process.env, PORT: `${port}`, npm_config_update_notifier: 'false' }
  const npx = spawn('npx', ['--no', 'sluice'], { cwd: INSTALLED, env, stdio: 'ignore' })
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(answers, PATIENCE).toBe(true)
  npx.kill('SIGTERM')
  await expect.poll(answers, PATIENCE).toBe(false)
})

test('--help loads the command line and nothing that serves', () => {
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (process._rawDebug('loads ' + url), next(url, context)) })`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`, program(), '--help'],
    { cwd: INSTALLED, encoding: 'utf8' },
  )
  expect(stdout).toContain('First steps:')
  const loaded = [...stderr.matchAll(/^loads (file:.*)$/gm)].map(([, url = '']) => fileURLToPath(url))
  expect(loaded.map((path) => basename(path))).toContain('main.js')
  expect(loaded.filter((path) => /^(start-server|sqlite-|postgres-|sandbox)/.test(basename(path)))).toEqual(
    [],
  )
  const bytes = loaded.reduce((sum, path) => sum + statSync(path).size, 0)
  expect(bytes).toBeLessThanOrEqual(HELP_BYTES_MAX)
})

test('every page and example that a text names is in the package', () => {
  const folder = join(INSTALLED, 'node_modules/sluice')
  const programs = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.js'))
  const texts = programs.map((name) => readFileSync(join(folder, 'dist', name), 'utf8'))
  const named = texts.flatMap(
    (text) => text.match(/(?<![\w./-])(docs\/[\w-]+\.md|sluice\.example\.yaml)/g) ?? [],
  )
  expect(named).toContain('docs/configuration.md')
  for (const path of new Set(named)) expect(existsSync(join(folder, path)), path).toBe(true)
  const { stdout } = spawnSync(process.execPath, [program(), '--help'], { cwd: INSTALLED, encoding: 'utf8' })
  expect(stdout).toContain('see node_modules/sluice/docs/configuration.md.')
  expect(stdout).toContain('PORT')
})

test('init --compose writes all files that its commands need, and doctor next to them explains who reads .env', () => {
  const folder = dataFolder()
  const sluice = (...words: string[]) =>
    spawnSync(process.execPath, [program(), ...words], { cwd: folder, encoding: 'utf8' })
  expect(sluice('init', '--compose')).toMatchObject({ status: 0 })
  expect(readdirSync(folder)).toEqual(['.env', 'compose.yaml', 'sluice.yaml'])
  expect(sluice('doctor').stderr).toContain('docker compose exec sluice sluice doctor')
})
