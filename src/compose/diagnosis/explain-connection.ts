export type ProblemCause =
  | 'dns'
  | 'port'
  | 'tls'
  | 'network'
  | 'key'
  | 'path'
  | 'model'
  | 'account'
  | 'request'
  | 'vendor'

export interface NetworkProblem {
  cause: ProblemCause
  detail: string
  fix: string
}

interface KnownProblem {
  codes: RegExp
  cause: ProblemCause
  detail(address: Address): string
  fix(address: Address): string
}

const CODES: readonly KnownProblem[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|ENODATA|EAI_NONAME)$/,
    cause: 'dns',
    detail: ({ url }) => `the name ${url.hostname} cannot be resolved (DNS)`,
    fix: ({ setting }) => `Check the host in ${setting}, and the DNS of this machine.`,
  },
  {
    codes: /^ECONNREFUSED$/,
    cause: 'port',
    detail: ({ url }) => `nothing listens on ${url.hostname}, port ${portOf(url)} (connection refused)`,
    fix: ({ setting }) => `Check the port in ${setting}, and that the service runs.`,
  },
  {
    codes: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT)$/,
    cause: 'network',
    detail: ({ url }) => `no answer from ${url.hostname}, port ${portOf(url)}, in time`,
    fix: ({ setting }) =>
      `Check the address in ${setting}, and the firewalls and proxies between this machine and it.`,
  },
  {
    codes: /^(ERR_SSL_|EPROTO$)/,
    cause: 'tls',
    detail: ({ url, setting }) =>
      `${url.hostname}, port ${portOf(url)}, does not speak TLS, and ${setting} begins with https://`,
    fix: ({ setting }) => `Begin ${setting} with http:// if that is meant, or correct the port.`,
  },
  {
    codes: /CERT|SIGNATURE|ERR_TLS_/,
    cause: 'tls',
    detail: ({ url, code }) => `the TLS certificate of ${url.hostname} is not valid here (${code})`,
    fix: ({ setting }) =>
      `Check the host in ${setting}. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its file.`,
  },
]

interface Address {
  url: URL
  /** Setting of the address, such as `providers.vendorA.base_url`. */
  setting: string
  code: string
}

/** Explains a failed connection. A server that speaks TLS hangs up on plain HTTP, or answers with other bytes. */
export function explainConnection(
  error: unknown,
  { url, setting, speaksTls }: { url: URL; setting: string; speaksTls: boolean },
): NetworkProblem {
  if (url.protocol === 'http:' && speaksTls) {
    return {
      cause: 'tls',
      detail: `${url.hostname}, port ${portOf(url)}, speaks TLS, and ${setting} begins with http://`,
      fix: `Begin ${setting} with https://.`,
    }
  }
  const code = codesOf(error).find((found) => CODES.some(({ codes }) => codes.test(found)))
  const known = code === undefined ? undefined : CODES.find(({ codes }) => codes.test(code))
  if (code !== undefined && known !== undefined) {
    const address = { url, setting, code }
    return { cause: known.cause, detail: known.detail(address), fix: known.fix(address) }
  }
  return {
    cause: 'network',
    detail: error instanceof Error ? error.message : String(error),
    fix: `Check ${setting}, and that this machine may reach it.`,
  }
}

/** Returns the codes of an error and of its causes, the outermost first. */
function codesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 5) return []
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  return [...own, ...codesOf(inner, depth + 1)]
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}
