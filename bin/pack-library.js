// Runs before and after `npm pack` of a library, in its folder: the archive has JavaScript with types beside it, the tree
// has sources.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ROOT } from './program.js'

const PACKAGE = pathToFileURL(`${process.cwd()}/`)
const MANIFEST = new URL('package.json', PACKAGE)
const SOURCE = /": "\.\/src\/([^"]+)\.ts"/
const COMPILED = /": \{ "types": "\.\/dist\/([^"]+)\.d\.ts", "default": "[^"]+" \}/

const manifest = readFileSync(MANIFEST, 'utf8')
if (process.argv.includes('--done')) {
  writeFileSync(MANIFEST, manifest.replace(COMPILED, '": "./src/$1.ts"'))
} else {
  copyFileSync(new URL('LICENSE', ROOT), new URL('LICENSE', PACKAGE))
  rmSync(new URL('dist', PACKAGE), { recursive: true, force: true })
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', ROOT))
  execFileSync(process.execPath, [compiler, '-p', fileURLToPath(PACKAGE)], { stdio: 'inherit' })
  writeFileSync(
    MANIFEST,
    manifest.replace(SOURCE, '": { "types": "./dist/$1.d.ts", "default": "./dist/$1.js" }'),
  )
}
