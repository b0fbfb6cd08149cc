import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const PARTS = ['package.json', 'bin', 'src', 'examples', 'node_modules']

/** A folder that looks like a fresh clone after `npm ci`, and into which a walk may write. */
export function freshClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const part of PARTS) symlinkSync(join(REPOSITORY, part), join(folder, part))
  return folder
}
