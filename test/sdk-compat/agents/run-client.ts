import { execFile } from 'node:child_process'
import type { AgentGateway } from './open-gateway.ts'

export interface ClientRun {
  code: number | null
  stdout: string
  stderr: string
}

const PATIENCE_MS = 90_000

/** Runs a client to its end in its workplace, without input; `program` is this Node by default. */
export function runClient(
  gateway: AgentGateway,
  {
    program = process.execPath,
    words,
    env = {},
  }: { program?: string; words: readonly string[]; env?: Record<string, string> },
): Promise<ClientRun> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      words,
      {
        cwd: gateway.workplace,
        env: { ...gateway.env, ...env },
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024 * 1024,
      },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
    child.stdin?.end()
  })
}
