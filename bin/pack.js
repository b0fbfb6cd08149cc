// Runs before `npm pack -w sluice`: fills packages/sluice with the bundle and the files that it reads.
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { licencesOf } from './licences.js'
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
writeFileSync(new URL('LICENSES-OF-OTHERS.txt', PACKAGE), licencesOf(paths))
