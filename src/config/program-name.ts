import { accessSync, constants } from 'node:fs'
import { delimiter, join, relative } from 'node:path'

/** Returns the command that starts this program again: `npx` and `npm` put folders on the PATH that shells lack. */
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

/** Whether `npx` or `npm start` began this process. A shell then stands between npm and this process. */
export function isRunByNpm(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return ['npx', 'start'].includes(environment.npm_lifecycle_event ?? '')
}

/** Commands in texts: at the beginning of a line, in quotes, or after a colon or another command. */
const COMMAND = /(?<=^ *|["`(]|: +|, (?:or )?|&& | {3}or {3})sluice(?= )/gm

const PAGE = /(?<![\w./-])(?=(?:docs\/[\w-]+\.md|sluice\.example\.yaml)\b)/g
/** Folder of the clone or of the installed package, both of which contain the pages. */
const ROOT = join(import.meta.dirname, '../../')

/** Replaces commands by what a shell finds, and names of pages by their paths. */
export function pasteable(text: string, program: string, folder = process.cwd()): string {
  const path = relative(folder, ROOT)
  const pages = text.replaceAll(PAGE, path.startsWith('..') ? ROOT : join(path, '/').replace(/^\/$/, ''))
  return program === 'sluice' ? pages : pages.replaceAll(COMMAND, program)
}
