import { startSandbox } from '../../../sandbox/server.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { startFaultProxy } from '../../system/faults/harness/fault-proxy.ts'

/** The sandbox behind a gate: a request to it runs for as long as the test wants. */
export interface HeldVendor {
  url: string
  /** Number of calls that have reached the gate. */
  calls(): number
  letThrough(): Promise<void>
  close(): Promise<void>
}

export async function startHeldVendor(): Promise<HeldVendor> {
  const sandbox = await startSandbox({ port: 0, speed: 60, nowMs: systemClock.nowMs })
  const gate = await startFaultProxy(sandbox)
  await gate.setMode({ kind: 'hang' })
  return {
    url: `http://127.0.0.1:${gate.port}`,
    calls: () => gate.counts.connections,
    letThrough: () => gate.setMode({ kind: 'pass' }),
    async close() {
      await gate.close()
      await sandbox.close()
    },
  }
}
