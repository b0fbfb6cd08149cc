import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { CLIENTS } from './clients.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder in which each client of `CLIENTS` is installed under its name. */
    clientsFolder: string
  }
}

const PATIENCE_MS = 600_000

/**
 * Nearly a gigabyte comes from npm. `TEST_AGENTS_DIR` names a folder that the next run uses again; without it the clients
 * are removed at the end.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const kept = process.env.TEST_AGENTS_DIR
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'sluice-agents-')))
  project.provide('clientsFolder', folder)
  const remove = async () => {
    if (kept === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const [name, dependencies] of Object.entries(CLIENTS))
      await install(join(folder, name), dependencies)
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}

/** Runs no install scripts: the clients work without them. */
async function install(folder: string, dependencies: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', words, { cwd: folder, timeout: PATIENCE_MS })
}
