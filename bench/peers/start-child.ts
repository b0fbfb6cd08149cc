import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Child {
  url: string
  pid: number
  stop(): Promise<void>
}

const READY_MS_MAX = 30_000

/** Starts a program that gets its port and prints nothing when it listens. */
export async function startChild(
  command: string,
  wordsFor: (port: number) => string[],
  environment: Record<string, string> = {},
): Promise<Child> {
  const port = await freePort()
  const child = spawn(command, wordsFor(port), { env: { ...process.env, ...environment }, stdio: 'ignore' })
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)))
  })
  failed.catch(() => {})
  const url = `http://127.0.0.1:${port}`
  await Promise.race([failed, untilItAnswers(url)])
  return { url, pid: child.pid ?? 0, stop: () => end(child) }
}

async function untilItAnswers(url: string): Promise<void> {
  const giveUpMs = performance.now() + READY_MS_MAX
  while (performance.now() < giveUpMs) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answers) return
    await sleep(50)
  }
  throw new Error(`nothing answers on ${url}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
