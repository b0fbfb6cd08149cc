import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Name by which a person can call this program again. `npx` and `npm` put a folder of their own on the PATH, which the
 * person's shell does not have.
 */
export function programName(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  isProgram = canRun,
): 'sluice' | 'npx sluice' {
  const folders = (environment.PATH ?? '').split(delimiter)
  const isOnPath = folders.some((folder) => !NPM_FOLDER.test(folder) && isProgram(join(folder, 'sluice')))
  return isOnPath ? 'sluice' : 'npx sluice'
}

const NPM_FOLDER = /^$|[\\/]node_modules[\\/](?:\.bin|npm)(?:[\\/]|$)/

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Commands in texts: at the beginning of a line, in quotes, or after a colon. */
const COMMAND = /(?<=^ *|["`(]|: +| {3}or {3})sluice(?= )/gm

export function pasteable(text: string, program: string): string {
  return program === 'sluice' ? text : text.replaceAll(COMMAND, program)
}
