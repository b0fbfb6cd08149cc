import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type Config, readConfig } from '../compose/config.ts'
import { arrangeConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { SETTINGS } from './settings/settings.ts'

const SECRET = 's'.repeat(32)

function read(environment: Record<string, string>, files: Record<string, string> = {}): Config {
  return readConfig({
    environment,
    readFile(path) {
      const text = files[path]
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      return text
    },
  })
}

function faultsOf(environment: Record<string, string>, files: Record<string, string> = {}): string[] {
  try {
    read(environment, files)
  } catch (error) {
    if (error instanceof ConfigError)
      return error.faults.map(({ setting, wrong, fix }) => `${setting}: ${wrong}. ${fix}`)
    throw error
  }
  return []
}

test('an environment without settings is a complete configuration', () => {
  const config = read({})
  expect(config.http).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    publicBaseUrl: undefined,
    shutdownGraceMs: 8000,
    shutdownNotReadyMs: 2000,
  })
  expect(config.engines).toEqual({
    dataDir: './data',
    databaseUrl: undefined,
    databasePoolSize: 10,
    redisUrl: undefined,
  })
  expect(config.outbound).toMatchObject({
    allowedRanges: [],
    firstByteTimeoutMs: 600_000,
    idleTimeoutMs: 300_000,
  })
  expect(config.video).toEqual({
    noticeBaseUrl: undefined,
    callbacksBySweep: false,
    sweepIntervalMs: 5000,
    submittingResolveSeconds: 600,
  })
  expect(config.limits).toEqual({ requestsPerMinute: 0, timeZone: 'UTC' })
  expect(config.providers).toEqual([])
})

test('an empty variable counts as unset', () => {
  const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))
  expect(read(empty)).toEqual(read({}))
})

test('every setting of the table reaches the configuration', () => {
  const asked = new Set<PropertyKey>()
  const values = new Proxy(SETTINGS, {
    get(_, name) {
      asked.add(name)
      return undefined
    },
  })
  Reflect.apply(arrangeConfig, undefined, [values, []])
  // Paths of files are not among the values: only the contents are used.
  expect(Object.keys(SETTINGS).filter((name) => !asked.has(name))).toEqual([
    'SLUICE_CONFIG',
    'C2PA_CERT_FILE',
    'C2PA_KEY_FILE',
  ])
})

describe('one fault, in full', () => {
  test.each([
    [
      { PORT: '80a' },
      'PORT: "80a" is not a whole number in plain digits. Use a whole number from 0 to 65535 (default: 8080).',
    ],
    [{ PORT: '65536' }, 'PORT: "65536" is above 65535. Use a whole number from 0 to 65535 (default: 8080).'],
    [
      { ADMIN_API_KEY: 'hunter2' },
      'ADMIN_API_KEY: the value is too short (length 7). Use at least 16 characters of plain ASCII without spaces.',
    ],
    [
      { ADMIN_API_KEY: `${'k'.repeat(16)}\n` },
      'ADMIN_API_KEY: the value starts or ends with white space. Use at least 16 characters of plain ASCII without spaces.',
    ],
    [
      { DATABASE_URL: 'mysql://root:hunter2@db/x', SLUICE_SECRET: SECRET },
      'DATABASE_URL: the value does not start with postgres:// or postgresql://. Use an address such as postgres://user:password@db.internal:5432/sluice.',
    ],
    [
      { DATABASE_URL: 'postgres://db/x' },
      'SLUICE_SECRET: it is missing, and DATABASE_URL is set. Use at least 32 random characters, the same on every replica; "openssl rand -hex 32" makes some.',
    ],
    [
      { LOG_LEVEL: 'inof' },
      'LOG_LEVEL: "inof" is not one of the known words. Did you mean info? Use one of debug, info, warn, error, silent.',
    ],
    [
      { QUOTA_TIMEZONE: 'Mars/Olympus' },
      'QUOTA_TIMEZONE: "Mars/Olympus" is not a known time zone. Use a time zone name such as UTC, Europe/Berlin or Asia/Shanghai (default: UTC).',
    ],
    [
      { OUTBOUND_ALLOW: '127.0.0.1' },
      'OUTBOUND_ALLOW: "127.0.0.1" has the entry "127.0.0.1" without a length. Write 127.0.0.1/32 for it alone.',
    ],
    [
      { PUBLIC_BASE_URL: 'https://user:hunter2@example.com/x' },
      'PUBLIC_BASE_URL: "https://...@example.com/x" carries credentials. Use an http:// or https:// address without credentials, query and fragment.',
    ],
    [
      { HEADERS_TIMEOUT_MS: '2000', REQUEST_TIMEOUT_MS: '1000' },
      'HEADERS_TIMEOUT_MS: 2000 is above REQUEST_TIMEOUT_MS, which is 1000. Headers are a part of the request: lower one or raise the other.',
    ],
    [
      { EVENTS_URL: 'https://operator.example/events' },
      'EVENTS_SECRET: it is missing, and EVENTS_URL is set. Use whsec_ and the output of "openssl rand -base64 32"; the receiver checks signatures with it.',
    ],
    [{ SLUICE_SECERT: SECRET }, 'SLUICE_SECERT: there is no such setting. Did you mean SLUICE_SECRET?'],
    [{ SLUICE_PORT: '80' }, 'SLUICE_PORT: there is no such setting. Did you mean PORT?'],
    [{ SLUICE_ZEBRA: '1' }, 'SLUICE_ZEBRA: there is no such setting. Remove it, or correct its name.'],
    [
      { SLUICE_CONFIG: 'other.yaml' },
      'SLUICE_CONFIG: there is no file "other.yaml". Name a YAML file that this user may read, or leave SLUICE_CONFIG out.',
    ],
  ])('%j', (environment: Record<string, string>, message) => {
    expect(faultsOf(environment)).toEqual([message])
  })
})

const WRONG: Record<string, string>[] = [
  { HOST: 'http://x' },
  { PORT: '-1' },
  { PUBLIC_BASE_URL: 'example.com' },
  { HEADERS_TIMEOUT_MS: '0' },
  { REQUEST_TIMEOUT_MS: '1' },
  { KEEP_ALIVE_TIMEOUT_MS: '5s' },
  { SHUTDOWN_GRACE_MS: '-1' },
  { DATA_DIR: 'a\nb' },
  { DATABASE_POOL_SIZE: '0' },
  { REDIS_URL: 'cache:6379' },
  { SLUICE_SECRET: 'short' },
  { VIDEO_WEBHOOK_BASE_URL: 'example.com' },
  { SANDBOX_PORT: '70000' },
  { SANDBOX_SPEED: '0' },
  { OUTBOUND_ALLOW: 'all' },
  { BODY_LIMIT_BYTES: '32MiB' },
  { VIDEO_SWEEP_INTERVAL_MS: '5.5' },
  { SUBMITTING_RESOLVE_SECONDS: '0' },
  { RATE_LIMIT_RPM: 'none' },
  { UPSTREAM_FIRST_BYTE_MS: '1e6' },
  { UPSTREAM_IDLE_MS: '9007199254740991' },
  { UPSTREAM_CONNECTIONS: '0' },
  { UPSTREAM_CLIENT: 'fetch' },
  { SHED_LAG_MS: '0' },
  { MAX_IN_FLIGHT: '0' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
  { OTEL_SERVICE_NAME: 'a\tb' },
  { OTEL_METRICS_EXPORTER: 'prometheus' },
  { OTEL_METRICS_EXPORTER: 'otlp' },
]

test.each(WRONG)('refuses %j and names the setting', (environment) => {
  const [name = ''] = Object.keys(environment)
  const faults = faultsOf(environment)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(`${name}: `)
})

test('all faults are reported together', () => {
  const run = () =>
    read(
      { PORT: 'x', HOST: 'x y', ADMIN_API_KEY: 'k', SLUICE_COFNIG: 'x' },
      { './sluice.yaml': 'provider: {}' },
    )
  expect(run).toThrow(
    [
      '5 settings are wrong:',
      '  HOST: "x y" is neither an IP address nor a host name.',
      '    Use an IP address or a host name, such as 127.0.0.1, 0.0.0.0 or ::1 (default: 127.0.0.1).',
      '  PORT: "x" is not a whole number in plain digits.',
      '    Use a whole number from 0 to 65535 (default: 8080).',
      '  ADMIN_API_KEY: the value is too short (length 1).',
      '    Use at least 16 characters of plain ASCII without spaces.',
      '  ./sluice.yaml:1:11 provider: it is not a known key.',
      '    Did you mean providers? The keys here are providers.',
      '  SLUICE_COFNIG: there is no such setting.',
      '    Did you mean SLUICE_CONFIG?',
      'Every setting is described in docs/configuration.md.',
    ].join('\n'),
  )
})

test('no secret shows in a fault or in the configuration', () => {
  const canary = 'canary7f3a'
  const bad = {
    ADMIN_API_KEY: canary,
    SLUICE_SECRET: canary,
    DATABASE_URL: `x://${canary}`,
    REDIS_URL: `${canary}:1`,
  }
  expect(faultsOf(bad)).toHaveLength(4)
  expect(faultsOf(bad).join()).not.toContain(canary)

  const long = canary.repeat(5)
  const config = read({
    ADMIN_API_KEY: long,
    SLUICE_SECRET: long,
    DATABASE_URL: `postgres://u:${canary}@db/x`,
    REDIS_URL: `rediss://:${canary}@cache`,
  })
  expect(JSON.stringify(config) + inspect(config, { depth: null, showHidden: true })).not.toContain(canary)
  expect(config.secrets.adminApiKey?.reveal()).toBe(long)
  expect(config.engines.databaseUrl?.reveal()).toBe(`postgres://u:${canary}@db/x`)
})

test('PostgreSQL and Redis can each be used alone, and Redis alone needs no secret', () => {
  expect(read({ REDIS_URL: 'redis://cache' }).secrets.deployment).toBeUndefined()
  expect(read({ DATABASE_URL: 'postgres://db/x', SLUICE_SECRET: SECRET }).engines.redisUrl).toBeUndefined()
})

test('the variables that Kubernetes makes for a service called sluice are not a mistake', () => {
  const links = {
    SLUICE_SERVICE_HOST: '10.0.0.1',
    SLUICE_SERVICE_PORT: '80',
    SLUICE_SERVICE_PORT_HTTP: '80',
    SLUICE_PORT: 'tcp://10.0.0.1:80',
    SLUICE_PORT_80_TCP: 'tcp://10.0.0.1:80',
    SLUICE_PORT_80_TCP_ADDR: '10.0.0.1',
    SLUICE_DB_SERVICE_HOST: '10.0.0.2',
  }
  expect(faultsOf(links)).toEqual([])
})

test('a variable that the providers file asks for may begin with SLUICE_', () => {
  const file = `providers: { vendorB: { driver: vendor-b, base_url: https://b.example, api_key: \${SLUICE_VENDOR_B} } }`
  const config = read({ SLUICE_VENDOR_B: 'k', SLUICE_CONFIG: 'p.yaml' }, { 'p.yaml': file })
  expect(config.providers.map(({ name }) => name)).toEqual(['vendorB'])
})

test('a file that cannot be read is a fault even where it is optional', () => {
  const denied = () =>
    readConfig({
      environment: {},
      readFile() {
        throw Object.assign(new Error('denied'), { code: 'EACCES' })
      },
    })
  expect(denied).toThrow('"./sluice.yaml" cannot be read (EACCES)')
})

describe('OIDC_ISSUER', () => {
  const whole = {
    ADMIN_API_KEY: 'k'.repeat(16),
    OIDC_ISSUER: 'https://login.example.com/realms/staff/',
    OIDC_CLIENT_ID: 'sluice',
    OIDC_ROLE_OPERATOR: 'support, billing',
  }

  test('is kept unchanged, with the values of each role', () => {
    expect(read(whole).openId).toMatchObject({
      issuer: 'https://login.example.com/realms/staff/',
      clientId: 'sluice',
      roleClaim: 'groups',
      roleValues: { owner: [], operator: ['support', 'billing'], viewer: [] },
    })
    expect(read({ ...whole, OIDC_ISSUER: 'http://127.0.0.1:8081' }).openId.issuer).toBe(
      'http://127.0.0.1:8081',
    )
  })

  test('needs https, an admin key, a client and a role', () => {
    expect(faultsOf({ OIDC_ISSUER: 'http://login.example.com' }).map((fault) => fault.split(':')[0])).toEqual(
      ['OIDC_ISSUER', 'ADMIN_API_KEY', 'OIDC_CLIENT_ID', 'OIDC_ROLE_OWNER'],
    )
    for (const issuer of [
      'login.example.com',
      'ftp://login.example.com',
      'http://127.evil.example',
      'http://10.0.0.1',
    ])
      expect(faultsOf({ ...whole, OIDC_ISSUER: issuer })).toHaveLength(1)
  })
})
