import { getDefaultResultOrder } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The addresses of a name. An aborted signal ends the look-up. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

interface ResolverOptions {
  /** Left out: the system's, as `/etc/resolv.conf` has them. */
  servers?: readonly string[]
  hostsFile?: string
  resolverFile?: string
  /** For one question to one server, and how often it is asked. */
  timeoutMs?: number
  tries?: number
}

/** A server that says nothing of one kind of address does not hold up those of the other for longer. */
const SECOND_KIND_MS = 300
const SEARCH_DOMAINS_MAX = 3
const NO_SUCH_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Looks names up without the system's resolver, which blocks one of libuv's few threads until the name's servers have
 * answered or the system gives up, and cannot be taken back: a stranger can name hosts whose servers never answer, and a
 * few of those would hold up every look-up, file and compression of the process. Like the system's it reads the hosts file
 * first and knows the search domains.
 */
export function createResolver({
  servers,
  hostsFile = '/etc/hosts',
  resolverFile = '/etc/resolv.conf',
  timeoutMs = 2_000,
  tries = 2,
}: ResolverOptions = {}): Resolve {
  return async (hostname, signal) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const listed = addressesIn(await textOf(hostsFile), name)
    if (listed.length > 0) return listed
    const names = hostname.endsWith('.') ? [name] : namesToTry(name, await textOf(resolverFile))
    let missing: unknown
    for (const each of names) {
      try {
        return await query(each, signal)
      } catch (error) {
        if (!NO_SUCH_NAME.has(Object(error).code)) throw error
        missing ??= error
      }
    }
    throw missing
  }

  /** With a resolver of its own, so that one look-up can be cancelled and no other with it. */
  async function query(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const resolver = new Resolver({ timeout: timeoutMs, tries })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const asked = [resolver.resolve4(name), resolver.resolve6(name)]
    const found: string[][] = [[], []]
    asked.forEach((answer, kind) => {
      answer.then(
        (addresses) => found.splice(kind, 1, addresses),
        () => {},
      )
    })
    try {
      if (signal.aborted) cancel()
      await Promise.any(asked)
      await Promise.race([Promise.allSettled(asked), sleep(SECOND_KIND_MS, undefined, { ref: false })])
    } catch (error) {
      throw error instanceof AggregateError ? failureOf(error.errors) : error
    } finally {
      signal.removeEventListener('abort', cancel)
      cancel()
    }
    const kinds = getDefaultResultOrder() === 'ipv6first' ? found.toReversed() : found
    return alternate(kinds)
  }
}

/** Only when it has neither kind of address does a name not exist; trouble on the way is called as the system calls it. */
function failureOf(errors: readonly unknown[]): unknown {
  const cause = errors.find((error) => !NO_SUCH_NAME.has(Object(error).code))
  if (cause === undefined) return errors[0]
  return Object.assign(new Error('the name could not be looked up', { cause }), { code: 'EAI_AGAIN' })
}

/** One of each kind in turn: a caller that tries only the first few has some of both. */
function alternate(kinds: readonly string[][]): string[] {
  const longest = Math.max(...kinds.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, turn) => kinds.map((addresses) => addresses[turn]))
  return turns.flat().filter((address) => address !== undefined)
}

/** Read anew each time, as the system does: operators and orchestrators change it. */
async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return ''
  }
}

function addressesIn(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = wordsOf(line)
    return isIP(address) !== 0 && names.some((each) => each.toLowerCase() === name) ? [address] : []
  })
}

/** A name with a dot is tried as it is first; one without, in the search domains first. */
function namesToTry(name: string, resolverText: string): string[] {
  const line = resolverText.split('\n').findLast((each) => /^\s*(search|domain)\s/.test(each)) ?? ''
  const domains = wordsOf(line).slice(1, 1 + SEARCH_DOMAINS_MAX)
  const within = domains.map((domain) => `${name}.${domain.replace(/\.$/, '')}`)
  return name.includes('.') ? [name, ...within] : [...within, name]
}

function wordsOf(line: string): string[] {
  return line
    .replace(/#.*$/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
}
