import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MissingStore } from '../../domain/missing-store.ts'

export interface DataFiles {
  database: string
  lock: string
}

/** Makes the folder and the files in it for their owner alone; what is there already stays as it is. */
export function prepareDataFiles(dataDir: string): DataFiles {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const files = filesIn(dataDir)
  createPrivately(files.database)
  createPrivately(files.lock)
  return files
}

/** The files of a store that is there; nothing is made. */
export function findDataFiles(dataDir: string): DataFiles {
  const files = filesIn(dataDir)
  if (!existsSync(files.database)) throw new MissingStore(`There is no store in ${resolve(dataDir)}.`)
  return files
}

function filesIn(dataDir: string): DataFiles {
  return { database: join(dataDir, 'sluice.db'), lock: join(dataDir, 'sluice.lock') }
}

/** Never opens a file that exists: closing it again would drop the locks this process holds on it. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
