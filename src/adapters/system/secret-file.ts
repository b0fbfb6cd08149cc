import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../../domain/api-error.ts'

const FILE_NAME = 'secret'
const SECRET_BYTES = 32
const SECRET_LENGTH_MIN = 32

/**
 * Loads the secret of the embedded store, or makes one. A new secret is written under another name and then linked, so
 * that two processes that start at the same time read one secret.
 */
export function loadOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, FILE_NAME)
  return whole(path, readIfThere(path) ?? make(dataDir, path))
}

/** Loads the secret for a command, which creates neither a store nor its secret. */
export function loadSecret(dataDir: string): string {
  const path = join(dataDir, FILE_NAME)
  const secret = readIfThere(path)
  if (secret !== undefined) return whole(path, secret)
  throw new ApiError('store_unavailable', {
    message: `There is no file ${path}. Restore the file that this store was made with, or set SLUICE_SECRET to its text.`,
  })
}

/** Returns a secret that needs no quotes in a settings file and no encoding in a URL. */
export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

function whole(path: string, secret: string): string {
  if (secret.length >= SECRET_LENGTH_MIN) return secret
  throw new ApiError('store_unavailable', {
    message: `The file ${path} is damaged: it has fewer than ${SECRET_LENGTH_MIN} characters. Restore the file that this store was made with.`,
  })
}

function make(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeDurably(draft, randomSecret())
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
