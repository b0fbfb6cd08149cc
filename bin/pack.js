// Runs before `npm pack -w sluice`: fills packages/sluice with the bundle and the files that it reads.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { makePackedBundle } from './make-bundle.js'
import { ROOT, ROOT_PATH } from './program.js'

const PACKAGE = new URL('packages/sluice/', ROOT)
/** Files of this tree that the package has at the same place. */
const COPIED = [
  ...['console/dist', 'presets', 'sandbox/media', 'examples', 'docs', 'LICENSE', 'CHANGELOG.md'],
  ...['sluice.example.yaml', 'compose.yaml'],
]

if (!existsSync(new URL('console/dist/index.html', ROOT))) {
  console.error('The console is not built. Run "npm run console" with Node 24 or newer, then pack again.')
  process.exit(1)
}
for (const path of ['dist', ...COPIED]) rmSync(new URL(path, PACKAGE), { recursive: true, force: true })
const paths = await makePackedBundle(new URL('dist/', PACKAGE))
// Node does not strip types inside node_modules, and the folders in docs are for people who work on Sluice.
const filter = (path) => !/\.ts$|^docs\/[^.]+$/.test(path.slice(ROOT_PATH.length))
for (const path of COPIED) cpSync(new URL(path, ROOT), new URL(path, PACKAGE), { recursive: true, filter })
writeFileSync(new URL('LICENSES-OF-OTHERS.txt', PACKAGE), bundledPackages(paths).map(licenceOf).join(''))

/** Folders of the packages that are in the bundle, in the order of their names. */
function bundledPackages(bundled) {
  const folders = bundled.flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? [])
  return [...new Set(folders)].toSorted()
}

function licenceOf(folder) {
  const url = new URL(`${folder}/`, ROOT)
  const { name, version, license } = JSON.parse(readFileSync(new URL('package.json', url), 'utf8'))
  const files = readdirSync(url).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  if (files.length === 0 && license === undefined) throw new Error(`${name} has no licence`)
  const texts = files.map((file) => readFileSync(new URL(file, url), 'utf8').trim())
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n\n${'-'.repeat(80)}\n\n`
}
