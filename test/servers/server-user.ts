import { readFileSync } from 'node:fs'

export interface ServerUser {
  uid: number
  gid: number
}

/** The user that PostgreSQL runs as, because it refuses to run as root. undefined: the current user. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n').map(readAccount)
  const account =
    accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody')
  if (account === undefined) {
    throw new Error(
      'PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as.',
    )
  }
  return { uid: account.uid, gid: account.gid }
}

function readAccount(line: string): ServerUser & { name: string } {
  const [name = '', , uid, gid] = line.split(':')
  return { name, uid: Number(uid), gid: Number(gid) }
}
