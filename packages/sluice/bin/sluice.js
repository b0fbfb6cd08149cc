#!/usr/bin/env node
// Every Node since 14.8 can read this file, so a Node that is too old for Sluice gets a sentence, not a stack trace.
const OLDEST_MAJOR = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST_MAJOR) {
  process.stderr.write(
    `Sluice needs Node ${OLDEST_MAJOR} or newer; this is Node ${process.versions.node}.\n` +
      'Install a newer Node from https://nodejs.org, then run the same command again.\n',
  )
  process.exit(1)
}

const { enableCompileCache } = await import('node:module')
enableCompileCache()
// Stack traces name the sources.
process.setSourceMapsEnabled(true)
const { main } = await import('../dist/main.js')
await main(process.argv)
