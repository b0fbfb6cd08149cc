import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Child, startChild } from './start-child.ts'

const VERSION = '1.15.2'
/** With newer ones it answers 500 to every stream. */
const SERVER_VERSION = '1.13.7'

/** Another gateway in Node, from npm, as it comes; undefined where npm cannot bring it. */
export async function startPortkey(): Promise<Child | undefined> {
  // Kept from run to run: it is a benchmark's peer, not a dependency.
  const folder = join(tmpdir(), `sluice-bench-portkey-${VERSION}`)
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  try {
    if (!existsSync(program)) await install(folder)
  } catch (error) {
    console.log(`@portkey-ai/gateway ${VERSION} could not be installed: left out (${firstLine(error)})`)
    return undefined
  }
  return startChild(process.execPath, (port) => [program, `--port=${port}`, '--headless'], {
    NODE_ENV: 'production',
  })
}

async function install(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { '@portkey-ai/gateway': VERSION, '@hono/node-server': SERVER_VERSION },
      overrides: { '@hono/node-server': SERVER_VERSION },
    }),
  )
  const words = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', words, { cwd: folder, timeout: 180_000 })
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? ''
}
