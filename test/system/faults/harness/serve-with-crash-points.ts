import { loadPart } from '../../bundle/load-part.ts'
import { crashAtFromEnvironment } from './crash-at.ts'

// `sluice serve`, with crash points that work: what `startGateway` runs when a test plans a crash.
const { loadConfig } = await loadPart('config')
const { startServer } = await loadPart('start-server')
await startServer({ config: loadConfig(), checkpoint: crashAtFromEnvironment() })
