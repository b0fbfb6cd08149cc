import { readFileSync } from 'node:fs'
import { FileError } from '../errors.ts'

/** The text of a file that a command was given. */
export function readText(path: string, fix: string): string {
  return readBytes(path, fix).toString()
}

export function readBytes(path: string, fix: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new FileError(path, { wrong: REASONS[reason] ?? `it cannot be read (${reason})`, fix })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}
