import { createReadStream, readFileSync } from 'node:fs'
import { whyUnreadable } from '../../config/config-error.ts'
import { FileError } from '../errors.ts'

/** Reads a file argument; `-` is standard input. */
export function readText(path: string, fix: string): string {
  return readBytes(path, fix).toString()
}

export function readBytes(path: string, fix: string): Buffer {
  try {
    return readFileSync(path === '-' ? process.stdin.fd : path)
  } catch (error) {
    throw unreadable(path, error, fix)
  }
}

/** Streams a file that may be too large for the memory. */
export async function* streamBytes(path: string, fix: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    throw error instanceof Error && 'code' in error && 'syscall' in error
      ? unreadable(path, error, fix)
      : error
  }
}

export function unreadable(path: string, error: unknown, fix: string): FileError {
  return new FileError(path, { wrong: whyUnreadable(error), fix })
}
