import { freePort } from './free-port.ts'
import type { ServerFolder } from './server-folder.ts'
import type { ServerProcess } from './server-process.ts'

/** A real server of a test's own, which the test may break. It keeps its port and data from start to start. */
export interface TestServer {
  readonly url: string
  /** Id of the running process; undefined while it is down. */
  readonly pid: number | undefined
  /** Ends it immediately: clients are cut off, and nothing is written to disk. */
  crash(): Promise<void>
  /** Ends it in good order. */
  stop(): Promise<void>
  /** Starts it again after `crash` or `stop`. */
  start(): Promise<void>
  /** Ends it and deletes everything it kept. Happens by itself when the test process ends. */
  remove(): Promise<void>
}

export interface Engine {
  folder: ServerFolder
  url: (port: number) => string
  launch: (port: number) => Promise<ServerProcess>
  crashSignal: NodeJS.Signals
  stopSignal: NodeJS.Signals
}

export async function runTestServer(engine: Engine): Promise<TestServer> {
  const first = await launchOnFreePort(engine)
  let running: ServerProcess | undefined = first.server
  const end = async (signal: NodeJS.Signals) => {
    await running?.end(signal)
    running = undefined
  }
  return {
    url: engine.url(first.port),
    get pid() {
      return running?.pid
    },
    crash: () => end(engine.crashSignal),
    stop: () => end(engine.stopSignal),
    start: async () => {
      running ??= await engine.launch(first.port)
    },
    remove: async () => {
      await end(engine.crashSignal)
      await engine.folder.remove()
    },
  }
}

const LAUNCHES_MAX = 3

/** Another process may take the free port before this one listens on it; then another port is tried. */
async function launchOnFreePort(engine: Engine): Promise<{ port: number; server: ServerProcess }> {
  const failures: unknown[] = []
  while (failures.length < LAUNCHES_MAX) {
    const port = await freePort()
    try {
      return { port, server: await engine.launch(port) }
    } catch (error) {
      failures.push(error)
    }
  }
  await engine.folder.remove()
  throw failures.at(-1)
}
