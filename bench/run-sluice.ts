import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Output of the commands here, as far as a benchmark needs it. */
export interface Made {
  id: string
  key: string
}

/** Runs one command with `--json`, as an operator does beside the server. */
export async function runSluice(words: string[], environment: Record<string, string>): Promise<Made> {
  const program = join(import.meta.dirname, '../bin/sluice.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, '--json'], {
    env: { ...process.env, ...environment },
  })
  return JSON.parse(stdout)
}
