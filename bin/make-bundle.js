import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { BUNDLES, ENTRIES, freshBundle, MANIFEST, ROOT, ROOT_PATH, stampOf } from './program.js'

/** Processes that began with an earlier bundle may still load from it. */
const KEPT_MS = 24 * 3600 * 1000
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Limits the waiting for a file that is dated in the future. */
const TRIES_MAX = 3

/** Joins the sources and their dependencies into a few files, unless an earlier call did. */
export async function makeBundle(tries = TRIES_MAX) {
  if (freshBundle() !== undefined || tries === 0) return
  const startedAtSecond = Math.floor(Date.now() / 1000)
  const folder = randomBytes(8).toString('hex')
  const url = new URL(`${folder}/`, BUNDLES)
  const { output, paths } = await joinSources(url)
  const files = paths.map(stampOf)
  // A file of this very second could change once more without a new stamp.
  if (files.some(({ second }) => second >= startedAtSecond)) {
    await pause(1000)
    return makeBundle(tries - 1)
  }
  writeOutput(output, url)
  const manifest = new URL('manifest.json', url)
  writeFileSync(manifest, JSON.stringify({ root: ROOT.href, folder, files }))
  // The last step, and atomic: from here on processes start from this bundle.
  renameSync(manifest, MANIFEST)
  removeOldFolders(folder)
}

/** Joins the same files for the npm package, and returns the paths of the files that they were made from. */
export async function makePackedBundle(url) {
  // Other files are beside the folder of the bundle, as they are beside `dist` in this tree.
  const { output, paths } = await joinSources(new URL('dist/', ROOT))
  writeOutput(output, url)
  return paths
}

function writeOutput(output, url) {
  mkdirSync(url, { recursive: true })
  for (const { fileName, code, source } of output) {
    writeFileSync(
      new URL(fileName, url),
      code === undefined ? smallMap(source, url) : oneBytePerCharacter(code),
    )
  }
}

async function joinSources(url) {
  const dir = fileURLToPath(url)
  const { rolldown } = await import('rolldown')
  const paths = []
  const bundler = await rolldown({
    input: ENTRIES,
    cwd: ROOT_PATH,
    platform: 'node',
    // Optional parts of the PostgreSQL driver and of the WebSocket library: not in the image, and not wanted here.
    external: ['pg-native', 'pg-cloudflare', 'bufferutil', 'utf-8-validate'],
    plugins: [
      readUsedExports,
      {
        name: 'addresses',
        transform(code, id) {
          // The bundler's own modules are no files.
          if (isAbsolute(id)) paths.push(relative(ROOT_PATH, id))
          return rewriteAddresses(code, id, dir)
        },
      },
    ],
  })
  const { output } = await bundler.generate({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  await bundler.close()
  return { output, paths }
}

/**
 * An `import` of a module of Node reads all exports, also those that Node loads only when they are first read:
 * `node:http` has a WebSocket client of its own, of several megabytes. The bundle reads only the exports that it uses.
 */
const readUsedExports = {
  name: 'read-used-exports',
  resolveId(source, _importer, { kind }) {
    return source.startsWith('node:') && kind === 'import-statement' ? `\0${source}` : undefined
  },
  load(id) {
    if (!id.startsWith('\0node:')) return undefined
    const name = id.slice(1)
    const whole = `const $whole = process.getBuiltinModule('${name}')\nconst $read = (name) => $whole[name]`
    const each = Object.keys(process.getBuiltinModule(name)).map(
      (key) => `export const ${key} = /* @__PURE__ */ $read('${key}')`,
    )
    return [whole, 'export default $whole', ...each].join('\n')
  },
}

/**
 * V8 keeps a program's text for as long as it runs, with two bytes for each character when a single one needs them: such
 * characters are written as escapes. After a backslash an escape would mean something else: then the text stays.
 */
function oneBytePerCharacter(code) {
  if (/\\[\u0100-\uffff]/.test(code)) return code
  return code.replace(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A thread is loaded from the bundle. Other files are found from the bundle: it lies in the tree that has them. */
function rewriteAddresses(code, id, dir) {
  if (!code.includes('import.meta.') || id.includes('/node_modules/')) return undefined
  const rewritten = code
    .replace(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, (call, entry) =>
      entry in ENTRIES ? `new URL('./${entry}.js', import.meta.bundleUrl)` : call,
    )
    .replace(
      `createRequire(import.meta.url)('./yaml.ts')`,
      `createRequire(import.meta.bundleUrl)('./yaml.js')`,
    )
    .replaceAll(
      'import.meta.dirname',
      `import.meta.dirname + ${JSON.stringify(`/${pathFrom(dir, dirname(id))}`)}`,
    )
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(pathFrom(dir, id))}, import.meta.url).href`)
    .replaceAll('import.meta.bundleUrl', 'import.meta.url')
  return { code: rewritten, map: null }
}

function pathFrom(dir, path) {
  return relative(dir, path).replaceAll(sep, '/')
}

/**
 * Keeps where each line of our sources begins. The bundler's map of every word takes 200 ms and 30 MB to read, at the
 * first error that a server logs.
 */
function smallMap(source, url) {
  const map = JSON.parse(source)
  const isOurs = map.sources.map((path) => !new URL(path, url).href.startsWith(`${ROOT.href}node_modules/`))
  const read = [0, 0, 0, 0]
  const written = [0, 0, 0, 0]
  let before = ''
  const mappings = map.mappings.split(';').map((line) => {
    read[0] = 0
    written[0] = 0
    const kept = line.split(',').flatMap((segment) => {
      numbersOf(segment).forEach((change, field) => {
        read[field] = (read[field] ?? 0) + change
      })
      const [column, file, row] = read
      const here = isOurs[file] && segment !== '' ? `${file}:${row}` : 'elsewhere'
      if (here === before) return []
      before = here
      const place = here === 'elsewhere' ? [column] : read.slice(0, 4)
      const changes = place.map((value, field) => value - written[field])
      place.forEach((value, field) => {
        written[field] = value
      })
      return [changes.map(digitsOf).join('')]
    })
    return kept.join(',')
  })
  return JSON.stringify({ ...map, names: [], mappings: mappings.join(';') })
}

/** Numbers as source maps write them: the lowest bit is the sign, and each digit holds five bits and whether more follow. */
function numbersOf(segment) {
  const numbers = []
  let number = 0
  let unit = 1
  for (const digit of segment) {
    const value = DIGITS.indexOf(digit)
    number += (value % 32) * unit
    unit *= 32
    if (value >= 32) continue
    numbers.push(number % 2 === 1 ? -(number - 1) / 2 : number / 2)
    number = 0
    unit = 1
  }
  return numbers
}

function digitsOf(number) {
  let rest = number < 0 ? -number * 2 + 1 : number * 2
  let digits = ''
  do {
    digits += DIGITS[(rest % 32) + (rest >= 32 ? 32 : 0)]
    rest = Math.floor(rest / 32)
  } while (rest > 0)
  return digits
}

function removeOldFolders(current) {
  for (const name of readdirSync(BUNDLES)) {
    const url = new URL(name, BUNDLES)
    if (name === current || url.href === MANIFEST.href) continue
    if (Date.now() - statSync(url).mtimeMs > KEPT_MS) rmSync(url, { recursive: true, force: true })
  }
}
