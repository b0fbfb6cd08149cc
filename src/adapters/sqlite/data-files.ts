import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MissingStore } from '../../domain/missing-store.ts'

export interface DataFiles {
  database: string
  lock: string
}

/** Creates the folder and its files for their owner only. Existing files stay unchanged. */
export function prepareDataFiles(dataDir: string): DataFiles {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const files = filesIn(dataDir)
  createPrivately(files.database)
  createPrivately(files.lock)
  return files
}

/** Finds the files of an existing store, and creates nothing. */
export function findDataFiles(dataDir: string): DataFiles {
  const files = filesIn(dataDir)
  if (!existsSync(files.database)) throw new MissingStore(`There is no store in ${resolve(dataDir)}.`)
  return files
}

function filesIn(dataDir: string): DataFiles {
  return { database: join(dataDir, 'sluice.db'), lock: join(dataDir, 'sluice.lock') }
}

/** Never opens an existing file, because closing it would release the locks that this process has on it. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
