// Runs before `npm pack`: makes what the package contains beside the files of the repository.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { makePackedBundle } from './make-bundle.js'
import { PACKED, ROOT } from './program.js'

if (!existsSync(new URL('console/dist/index.html', ROOT))) {
  console.error('The console is not built. Run "npm run console" with Node 24 or newer, then pack again.')
  process.exit(1)
}
const paths = await makePackedBundle()
writeFileSync(new URL('LICENSES.txt', PACKED), licencesOf(bundledPackages(paths)))

/** Folders of the packages that are in the bundle, in the order of their names. */
function bundledPackages(paths) {
  const folders = paths.flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? [])
  return [...new Set(folders)].toSorted()
}

function licencesOf(folders) {
  return folders.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`)
}

function licenceOf(folder) {
  const url = new URL(`${folder}/`, ROOT)
  const { name, version, license } = JSON.parse(readFileSync(new URL('package.json', url), 'utf8'))
  const files = readdirSync(url).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  if (files.length === 0 && license === undefined) throw new Error(`${name} has no licence`)
  const texts = files.map((file) => readFileSync(new URL(file, url), 'utf8').trim())
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}
