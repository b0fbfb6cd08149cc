import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Run, withoutStoreLine } from './run.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url))
const PATIENCE_MS = 60_000

/** One call of the real program, in a process and an environment of its own. */
export function runProgram(
  words: readonly string[],
  environment: Record<string, string>,
  cwd: string,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const options = { env: environment, cwd, timeout: PATIENCE_MS }
    execFile(process.execPath, [PROGRAM, ...words], options, (error, result, notice) => {
      const exitCode = error === null ? 0 : error.code
      if (typeof exitCode === 'number') resolve({ exitCode, result, notice: withoutStoreLine(notice) })
      else
        reject(
          new Error(`"sluice ${words.join(' ')}" did not end by itself: ${result}${notice}`, {
            cause: error,
          }),
        )
    })
  })
}
