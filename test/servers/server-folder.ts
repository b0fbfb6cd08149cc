import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerUser } from './server-user.ts'

/**
 * A temporary folder with a guard: a small shell that waits on a pipe from this process. When this process ends, even by
 * kill -9, the pipe closes, and the guard stops the server and removes the folder.
 */
export interface ServerFolder {
  path: string
  /** Tells the guard which server runs in the folder now. */
  watch(pid: number | undefined): void
  remove(): Promise<void>
}

export function createServerFolder(options: {
  name: string
  owner: ServerUser | undefined
  /** Signal with which the guard ends a server whose owner has vanished. */
  endSignal: 'QUIT' | 'KILL'
}): ServerFolder {
  const path = mkdtempSync(join(tmpdir(), `sluice-test-${options.name}-`))
  if (options.owner !== undefined) chownSync(path, options.owner.uid, options.owner.gid)
  const guard = spawn('sh', ['-c', GUARD, 'sluice-test-guard', path, options.endSignal], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  const gone = once(guard, 'exit')
  return {
    path,
    watch: (pid) => {
      guard.stdin.write(`${pid ?? ''}\n`)
    },
    remove: async () => {
      guard.ref()
      guard.stdin.end()
      await gone
    },
  }
}

/** The last line it read is the server's pid, empty while none runs. The pause lets a dying server write its last file. */
const GUARD = `
while read -r line; do pid=$line; done
if [ -n "$pid" ]; then kill -s "$2" "$pid"; sleep 1; fi
rm -rf "$1"
`
