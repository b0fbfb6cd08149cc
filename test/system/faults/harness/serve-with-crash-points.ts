import { crashAtFromEnvironment } from './crash-at.ts'

// `sluice serve`, with crash points that work: what `startGateway` runs when a test plans a crash.
const { programUrl } = await import(new URL('../../../../bin/program.js', import.meta.url).href)
const { loadConfig }: typeof import('../../../../src/compose/config.ts') = await import(programUrl('config'))
const { startServer }: typeof import('../../../../src/process/start-server.ts') = await import(
  programUrl('start-server')
)
await startServer({ config: loadConfig(), checkpoint: crashAtFromEnvironment() })
