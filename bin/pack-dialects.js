// Runs before and after `npm pack -w @sluice/dialects`: the archive has JavaScript with types beside it, the tree has sources.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ROOT } from './program.js'

const PACKAGE = new URL('packages/dialects/', ROOT)
const MANIFEST = new URL('package.json', PACKAGE)
const SOURCES = '"./*": "./src/*.ts"'
const COMPILED = '"./*": { "types": "./dist/*.d.ts", "default": "./dist/*.js" }'

const isDone = process.argv.includes('--done')
if (!isDone) {
  copyFileSync(new URL('LICENSE', ROOT), new URL('LICENSE', PACKAGE))
  rmSync(new URL('dist', PACKAGE), { recursive: true, force: true })
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', ROOT))
  execFileSync(process.execPath, [compiler, '-p', fileURLToPath(PACKAGE)], { stdio: 'inherit' })
}
const [from, to] = isDone ? [COMPILED, SOURCES] : [SOURCES, COMPILED]
writeFileSync(MANIFEST, readFileSync(MANIFEST, 'utf8').replace(from, to))
