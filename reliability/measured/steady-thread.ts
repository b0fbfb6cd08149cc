import { parentPort, workerData } from 'node:worker_threads'
import { steadyClients } from '../../test/system/lifecycle/steady-clients.ts'

/**
 * Steady clients on a thread of their own: the vendors of a test run on its main thread, and their work for one
 * organization would slow the clients down. `count` asks for the number of answers, `stop` for all failures.
 */
export type SteadyOrders = Parameters<typeof steadyClients>[0]

const clients = steadyClients(workerData)
parentPort?.on('message', async (asked: 'count' | 'stop') => {
  if (asked === 'count') return parentPort?.postMessage(clients.answered())
  await clients.stop()
  parentPort?.postMessage(clients.failures.map(String))
})
