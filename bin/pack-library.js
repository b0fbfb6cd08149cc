// Runs before and after `npm pack` of a library, in its folder: the archive has JavaScript with types beside it, the tree
// has sources.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { licencesOf } from './licences.js'
import { ROOT } from './program.js'

const PACKAGE = pathToFileURL(`${process.cwd()}/`)
const DIST = new URL('dist/', PACKAGE)
const MANIFEST = new URL('package.json', PACKAGE)
const SOURCE = /": "\.\/src\/([^"]+)\.ts"/g
const COMPILED = /": \{ "types": "\.\/dist\/([^"]+)\.d\.ts", "default": "[^"]+" \}/g

const manifest = readFileSync(MANIFEST, 'utf8')
if (process.argv.includes('--done')) {
  writeFileSync(MANIFEST, manifest.replace(COMPILED, '": "./src/$1.ts"'))
} else {
  copyFileSync(new URL('LICENSE', ROOT), new URL('LICENSE', PACKAGE))
  rmSync(DIST, { recursive: true, force: true })
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', ROOT))
  execFileSync(process.execPath, [compiler, '-p', fileURLToPath(PACKAGE)], { stdio: 'inherit' })
  if (JSON.parse(manifest).devDependencies !== undefined) await joinUnpublished()
  writeFileSync(
    MANIFEST,
    manifest.replace(SOURCE, '": { "types": "./dist/$1.d.ts", "default": "./dist/$1.js" }'),
  )
}

/** Joins an unpublished package, and what it needs, with each file that imports it: users install nothing else. */
async function joinUnpublished() {
  // The compiler wrote both packages, each in a folder of its own.
  const compiled = new URL('compiled/', PACKAGE)
  renameSync(new URL(`${basename(process.cwd())}/src/`, DIST), compiled)
  rmSync(DIST, { recursive: true })
  renameSync(compiled, DIST)
  const { rolldown } = await import('rolldown')
  const input = readdirSync(DIST).filter(
    (file) => file.endsWith('.js') && readFileSync(new URL(file, DIST), 'utf8').includes(`from '@sluice/`),
  )
  const bundler = await rolldown({
    input: input.map((file) => fileURLToPath(new URL(file, DIST))),
    platform: 'browser',
  })
  const { output } = await bundler.write({ dir: fileURLToPath(DIST), format: 'esm', minify: true })
  await bundler.close()
  const paths = output.flatMap(({ modules = {} }) => Object.keys(modules))
  writeFileSync(new URL('LICENSES-OF-OTHERS.txt', PACKAGE), licencesOf(paths))
}
