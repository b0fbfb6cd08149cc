export interface RedisNode {
  host: string
  port: number
}

interface Credentials {
  username?: string
  password?: string
}

/** Servers of `REDIS_URL`. */
export type RedisServers =
  | { kind: 'one'; url: string }
  | {
      kind: 'sentinel'
      name: string
      sentinels: RedisNode[]
      tls: boolean
      database: number
      account: Credentials
      sentinelAccount: Credentials
    }
  | { kind: 'cluster'; nodes: RedisNode[]; tls: boolean; account: Credentials }

const SENTINEL_PORT = 26_379
const REDIS_PORT = 6_379

/** Parses `REDIS_URL`, with a list of hosts for `redis+sentinel://…` and `redis+cluster://…`. */
export function readRedisUrl(text: string): RedisServers {
  const [, scheme, login, hosts = '', rest] =
    /^(rediss?\+(?:sentinel|cluster)):\/\/(?:([^@/?]*)@)?([^/?]*)(.*)$/.exec(text) ?? []
  if (scheme === undefined) return { kind: 'one', url: text }
  const tls = scheme.startsWith('rediss')
  const account = readLogin(login)
  if (scheme.endsWith('cluster'))
    return { kind: 'cluster', nodes: readNodes(hosts, REDIS_PORT), tls, account }
  const { pathname, searchParams } = new URL(`redis://host${rest}`)
  const [, name = '', database = '0'] = pathname.split('/')
  const sentinelAccount = credentials(
    searchParams.get('sentinel_username') ?? '',
    searchParams.get('sentinel_password') ?? '',
  )
  return {
    kind: 'sentinel',
    name: decodeURIComponent(name),
    sentinels: readNodes(hosts, SENTINEL_PORT),
    tls,
    database: Number(database),
    account,
    sentinelAccount,
  }
}

function readNodes(hosts: string, defaultPort: number): RedisNode[] {
  return hosts.split(',').map((host) => {
    const { hostname, port } = new URL(`redis://${host}`)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) }
  })
}

function readLogin(login = ''): Credentials {
  const colon = login.indexOf(':')
  if (colon < 0) return credentials(decodeURIComponent(login), '')
  return credentials(decodeURIComponent(login.slice(0, colon)), decodeURIComponent(login.slice(colon + 1)))
}

/** Leaves empty members out, because the client would send them. */
function credentials(username: string, password: string): Credentials {
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) }
}

export function urlOf({ host, port }: RedisNode, tls: boolean): string {
  return `${tls ? 'rediss' : 'redis'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
