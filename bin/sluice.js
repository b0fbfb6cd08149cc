#!/usr/bin/env node
// Plain JavaScript on purpose: it must also run on a Node too old for the sources, to say what to do.
const OLDEST_MAJOR = 24
const major = Number(process.versions.node.split('.')[0])

if (major < OLDEST_MAJOR) {
  process.stderr.write(
    `Sluice needs Node ${OLDEST_MAJOR} or newer; this is Node ${process.versions.node}.\n` +
      'The right one comes with the dependencies: run "npm ci", then "npm start" or "npx sluice ...".\n' +
      `(If you installed with --omit=optional, put Node ${OLDEST_MAJOR} or newer on the PATH.)\n`,
  )
  process.exit(1)
}

const { useCompileCache } = await import('./compile-cache.js')
useCompileCache()
// Stack traces name the sources, also when the bundle runs.
process.setSourceMapsEnabled(true)
const { programUrl } = await import('./program.js')
const { main } = await import(programUrl('main'))
await main(process.argv)
