import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NO_PROVIDERS } from '../faults/harness/no-providers.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs a command of the real command line with `--json` and returns what it printed. */
export async function runSluice<T>(words: readonly string[], env: Record<string, string>): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/sluice.js', ...words, '--json'], {
    cwd: REPOSITORY,
    env: { PATH: process.env.PATH, SLUICE_CONFIG: NO_PROVIDERS, ...env },
  })
  return JSON.parse(stdout)
}

/** A tenant of its own, made the way an operator makes one. */
export async function makeTenant(env: Record<string, string>): Promise<{ keyId: string; key: string }> {
  const organization = await runSluice<{ id: string }>(['org', 'create', '--name', 'life', '--prepaid'], env)
  const user = await runSluice<{ id: string }>(['user', 'create', '--org', organization.id], env)
  const made = await runSluice<{ id: string; key: string }>(
    ['key', 'create', '--org', organization.id, '--user', user.id],
    env,
  )
  return { keyId: made.id, key: made.key }
}
