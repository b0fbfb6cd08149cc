import { parentPort, workerData } from 'node:worker_threads'
import { steadyClients } from '../../test/system/lifecycle/steady-clients.ts'

/**
 * Steady clients on a thread of their own, since the vendors of a test run on its main thread: what one organization makes
 * them do would slow these clients down. `count` asks how many were answered, `stop` for all that was not 200.
 */
export type SteadyOrders = Parameters<typeof steadyClients>[0]

const clients = steadyClients(workerData)
parentPort?.on('message', async (asked: 'count' | 'stop') => {
  if (asked === 'count') return parentPort?.postMessage(clients.answered())
  await clients.stop()
  parentPort?.postMessage(clients.failures.map(String))
})
