import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerFolder } from './server-folder.ts'
import type { ServerUser } from './server-user.ts'

export interface ServerProcess {
  pid: number
  /** Sends the signal and resolves when the process has gone, by force if it takes too long. */
  end(signal: NodeJS.Signals): Promise<void>
}

export interface ServerCommand {
  binary: string
  args: readonly string[]
  folder: ServerFolder
  user: ServerUser | undefined
  /** Polled until it returns true. It must not accept another server that listens on the same port. */
  isReady: (pid: number) => Promise<boolean>
}

/** Resolves when the server answers; rejects with the end of its log when it exits first or takes too long. */
export async function startServerProcess(command: ServerCommand): Promise<ServerProcess> {
  const logPath = join(command.folder.path, 'server.log')
  const child = launch(command, logPath)
  const failed = new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)))
  if (child.pid === undefined) throw new Error(`${command.binary} cannot be run: ${await failed}`)
  const { pid } = child
  command.folder.watch(pid)
  child.once('exit', () => command.folder.watch(undefined))
  const server: ServerProcess = { pid, end: (signal) => endProcess(child, signal) }
  const deadlineMs = performance.now() + READY_TIMEOUT_MS
  while (!(await command.isReady(pid))) {
    if (hasEnded(child)) throw new Error(`${command.binary} ended before it was ready:\n${tail(logPath)}`)
    if (performance.now() > deadlineMs) {
      await server.end('SIGKILL')
      throw new Error(`${command.binary} was not ready after ${READY_TIMEOUT_MS} ms:\n${tail(logPath)}`)
    }
    await wait(READY_POLL_MS)
  }
  return server
}

const READY_TIMEOUT_MS = 30_000
const READY_POLL_MS = 10
const END_TIMEOUT_MS = 10_000

/**
 * Starts a server detached, so that Ctrl-C in the terminal reaches the test run first. It gets no environment of ours,
 * because our environment may name other servers.
 */
function launch(command: ServerCommand, logPath: string): ChildProcess {
  const log = openSync(logPath, 'a')
  try {
    const child = spawn(command.binary, command.args, {
      cwd: command.folder.path,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      detached: true,
      stdio: ['ignore', log, log],
      ...command.user,
    })
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  const gone = once(child, 'exit')
  child.kill(signal)
  const force = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
  await gone
  clearTimeout(force)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function tail(logPath: string): string {
  return readFileSync(logPath, 'utf8').split('\n').slice(-20).join('\n')
}
