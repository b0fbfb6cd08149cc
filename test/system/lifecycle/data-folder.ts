import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Makes a data folder, which is removed at the end of the test. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-life-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
