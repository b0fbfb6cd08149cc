import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Installs a peer from npm and returns the path of its program; undefined where npm cannot install it. */
export async function installPeer({
  name,
  version,
  program,
  pinned = {},
}: {
  name: string
  version: string
  program: string
  /** Versions that the peer needs and does not pin. */
  pinned?: Record<string, string>
}): Promise<string | undefined> {
  // Kept between runs: it is a benchmark's peer, not a dependency.
  const folder = join(tmpdir(), `sluice-bench-${name.replace(/\W+/g, '-')}-${version}`)
  const path = join(folder, 'node_modules', name, program)
  try {
    if (!existsSync(path)) await install(folder, { name, version, pinned })
    return path
  } catch (error) {
    const [reason] = String(error).split('\n', 1)
    console.log(`${name} ${version} could not be installed: left out (${reason})`)
    return undefined
  }
}

async function install(
  folder: string,
  { name, version, pinned }: { name: string; version: string; pinned: Record<string, string> },
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const dependencies = { [name]: version, ...pinned }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies, overrides: pinned }),
  )
  const words = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', words, { cwd: folder, timeout: 180_000 })
}
