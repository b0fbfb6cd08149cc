import { getDefaultResultOrder } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves the addresses of a name. An aborted signal ends the look-up. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

interface ResolverOptions {
  /** Name servers; default: those of `/etc/resolv.conf`. */
  servers?: readonly string[]
  hostsFile?: string
  resolverFile?: string
  /** Timeout of one query to one server, and the number of attempts. */
  timeoutMs?: number
  tries?: number
}

/** Maximum wait for addresses of the other kind (IPv4, IPv6) after the first kind has arrived. */
const SECOND_KIND_MS = 300
const SEARCH_DOMAINS_MAX = 3
const NO_SUCH_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Looks names up without the system's resolver, which cannot be cancelled and blocks one of libuv's few threads until
 * the name servers answer. Clients can name hosts whose servers never answer, and a few of them would block every
 * look-up, file operation and compression of the process. The hosts file comes first, and search domains are used.
 */
export function createResolver(input: ResolverOptions = {}): Resolve {
  const { servers, hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' } = input
  const { timeoutMs = 2_000, tries = 2 } = input
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

  /** Creates a resolver per query, because `cancel` ends all queries of a resolver. */
  async function query(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const resolver = new Resolver({ timeout: timeoutMs, tries })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const lookUps = [resolver.resolve4(name), resolver.resolve6(name)]
    const found: string[][] = [[], []]
    lookUps.forEach((answer, kind) => {
      answer.then(
        (addresses) => found.splice(kind, 1, addresses),
        () => {},
      )
    })
    try {
      if (signal.aborted) cancel()
      await Promise.any(lookUps)
      await Promise.race([Promise.allSettled(lookUps), sleep(SECOND_KIND_MS, undefined, { ref: false })])
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

/** Returns the error of a missing name, or else an error with the code that the system's resolver uses. */
function failureOf(errors: readonly unknown[]): unknown {
  const cause = errors.find((error) => !NO_SUCH_NAME.has(Object(error).code))
  if (cause === undefined) return errors[0]
  return Object.assign(new Error('the name could not be looked up', { cause }), { code: 'EAI_AGAIN' })
}

/** Alternates the kinds of addresses, so that a caller that tries only a few tries both. */
function alternate(kinds: readonly string[][]): string[] {
  const longest = Math.max(...kinds.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, turn) => kinds.map((addresses) => addresses[turn]))
  return turns.flat().filter((address) => address !== undefined)
}

/** Reads the file on each look-up, because operators and orchestrators change it. */
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

/** Puts a name with a dot before the search domains, and a name without a dot behind them. */
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
