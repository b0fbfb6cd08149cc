import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'

export interface DataFiles {
  database: string
  lock: string
}

/** Makes the folder and the files in it for their owner alone; what is there already stays as it is. */
export function prepareDataFiles(dataDir: string): DataFiles {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const files = { database: join(dataDir, 'sluice.db'), lock: join(dataDir, 'sluice.lock') }
  createPrivately(files.database)
  createPrivately(files.lock)
  return files
}

/** Never opens a file that exists: closing it again would drop the locks this process holds on it. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
