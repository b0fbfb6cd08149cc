import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts another program to compare with, in its own process; some report their CPU time at `/cpu`. */
export async function startPeer(
  file: string,
  environment: Record<string, string>,
): Promise<{ url: string; pid: number; cpuSeconds(): Promise<number>; stop(): void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const url = String(line).trim()
  return {
    url,
    pid: child.pid ?? 0,
    async cpuSeconds() {
      const { seconds } = (await (await fetch(`${url}/cpu`)).json()) as { seconds: number }
      return seconds
    },
    stop: () => void child.kill(),
  }
}
