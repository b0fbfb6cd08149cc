import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { GreedyOrders, Sent } from './greedy-tenant.ts'

const PROGRAM = fileURLToPath(new URL('./greedy-tenant.ts', import.meta.url))
/** About a third of the processor time that an equal process gets where both want it: enough to stay greedy. */
const NICE = 5

/** Ends the greedy tenant, and returns the number of requests of each act. */
export type StopGreed = () => Promise<Sent>

/**
 * Resolves when the greedy tenant has begun. A real one has its own machines. Here it shares the processors, with a lower
 * priority than the gateway, the vendors and the other clients.
 */
export async function startGreedyTenant(orders: GreedyOrders): Promise<StopGreed> {
  const child = spawn('nice', ['-n', String(NICE), process.execPath, PROGRAM, JSON.stringify(orders)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // On systems that group processes by session, a priority counts only within the session.
    detached: true,
  })
  if (child.pid !== undefined) lowerSession(child.pid)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  await once(child.stdout, 'readable')
  const reported = text(child.stdout)
  return async () => {
    child.stdin.end()
    await ended
    if (child.exitCode !== 0) throw new Error('the greedy tenant failed')
    return JSON.parse((await reported).replace('begun', ''))
  }
}

function lowerSession(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(NICE))
  } catch {
    // The system does not group processes by session.
  }
}
