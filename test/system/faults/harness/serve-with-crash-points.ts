import { loadConfig } from '../../../../src/compose/config.ts'
import { startServer } from '../../../../src/process/start-server.ts'
import { crashAtFromEnvironment } from './crash-at.ts'

// `sluice serve`, with crash points that work: what `startGateway` runs when a test plans a crash.
await startServer({ config: loadConfig(), checkpoint: crashAtFromEnvironment() })
