import type { ConfigField } from '../read-fields.ts'
import { cidrList } from './kinds/cidr-list.ts'
import { host, httpUrl, serverUrl } from './kinds/http-url.ts'
import { integer } from './kinds/integer.ts'
import { oneOf, text } from './kinds/text.ts'
import { timeZone } from './kinds/time-zone.ts'
import { OPENID_SETTINGS } from './openid-settings.ts'
import { RETENTION_SETTINGS } from './retention-settings.ts'
import { SECRET_SETTINGS } from './secret-settings.ts'
import { TELEMETRY_SETTINGS } from './telemetry-settings.ts'

/** The groups of the reference, in its order. */
export const SETTING_GROUPS = {
  listening: 'Listening',
  engines: 'Store and cache',
  secrets: 'Secrets',
  openid: 'Sign-in with OpenID Connect',
  providers: 'Providers and outgoing connections',
  video: 'Video',
  limits: 'Limits',
  retention: 'How long rows are kept',
  sandbox: 'Sandbox',
  telemetry: 'Logs and traces',
} as const

export interface Setting<Value = unknown> extends ConfigField<Value> {
  group: keyof typeof SETTING_GROUPS
}

/** Every environment variable Sluice reads. The reference is generated from this table. */
export const SETTINGS = {
  HOST: {
    group: 'listening',
    kind: host,
    default: '127.0.0.1',
    meaning: 'Address to listen on. `0.0.0.0` listens on every network; put TLS in front of it.',
  },
  PORT: {
    group: 'listening',
    kind: integer({ min: 0, max: 65_535 }),
    default: '8080',
    meaning: 'Port to listen on. `0` takes a free one and prints it.',
  },
  PUBLIC_BASE_URL: {
    group: 'listening',
    kind: httpUrl,
    meaning: 'The address under which clients and vendors reach Sluice. Unset: the address it listens on.',
  },
  TRUSTED_PROXIES: {
    group: 'listening',
    kind: cidrList,
    meaning:
      'Addresses of the proxies in front of Sluice. From them it takes the address of a client out of `X-Forwarded-For` (the right-most entry that is not one of them) to count wrong keys by, and only from them `X-Forwarded-Proto`. Unset: a proxy counts as one client, and `X-Forwarded-Proto` is believed.',
  },
  REQUIRE_VERSION_HEADER: {
    group: 'listening',
    kind: oneOf(['on', 'off']),
    default: 'on',
    meaning:
      'Whether `/v1/messages` refuses a request that has neither `anthropic-version` nor `compat-version`. With `off` it counts as `2023-06-01`; a version that is sent is checked all the same.',
  },
  HEADERS_TIMEOUT_MS: {
    group: 'listening',
    kind: integer({ min: 100, max: 600_000 }),
    default: '15000',
    meaning: 'How long the headers of a request may take to arrive before it is answered with 408.',
  },
  REQUEST_TIMEOUT_MS: {
    group: 'listening',
    kind: integer({ min: 100, max: 3_600_000 }),
    default: '300000',
    meaning: 'How long a whole request, body included, may take to arrive. Replies may take longer.',
  },
  KEEP_ALIVE_TIMEOUT_MS: {
    group: 'listening',
    kind: integer({ min: 1_000, max: 3_600_000 }),
    default: '72000',
    meaning:
      'How long an idle connection stays open. Keep it above the idle time of a load balancer in front, which is often 60 s.',
  },
  SHUTDOWN_GRACE_MS: {
    group: 'listening',
    kind: integer({ min: 0, max: 3_600_000 }),
    default: '8000',
    meaning: 'How long requests and streams may go on after SIGTERM before they are ended.',
  },
  SHUTDOWN_NOT_READY_MS: {
    group: 'listening',
    kind: integer({ min: 0, max: 3_600_000 }),
    default: '2000',
    meaning:
      'How long, of `SHUTDOWN_GRACE_MS`, the process still answers everything after SIGTERM while `/readyz` says 503, so that load balancers send new requests elsewhere. At most half of the grace: the rest is for what is still running.',
  },

  DATA_DIR: {
    group: 'engines',
    kind: text({ takes: 'the path of a folder' }),
    default: './data',
    meaning:
      'Folder of the SQLite store `sluice.db` and of the secret that Sluice makes for itself. Unused with `DATABASE_URL`.',
  },
  DATABASE_URL: {
    group: 'engines',
    kind: serverUrl({
      schemes: ['postgres', 'postgresql'],
      example: 'postgres://user:password@db.internal:5432/sluice',
    }),
    meaning: 'A PostgreSQL database to use in place of SQLite. May be set without `REDIS_URL`.',
  },
  DATABASE_POOL_SIZE: {
    group: 'engines',
    kind: integer({ min: 1, max: 1_000 }),
    default: '10',
    meaning: 'The most connections one process opens to PostgreSQL.',
  },
  REDIS_URL: {
    group: 'engines',
    kind: serverUrl({
      schemes: ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel', 'redis+cluster', 'rediss+cluster'],
      example: 'redis://:password@cache.internal:6379',
    }),
    meaning:
      'A Redis or Valkey server to use in place of the cache in the process. May be set without `DATABASE_URL`. Servers behind Sentinel: `redis+sentinel://:password@host1:26379,host2:26379/NAME`, where NAME is the name that the sentinels watch; `?sentinel_password=…` when they ask for one. A Redis Cluster: `redis+cluster://:password@host1:6379,host2:6379`. With `rediss` in place of `redis` every connection uses TLS.',
  },

  ...SECRET_SETTINGS,
  ...OPENID_SETTINGS,

  SLUICE_CONFIG: {
    group: 'providers',
    kind: text({ takes: 'the path of a YAML file' }),
    default: './sluice.yaml',
    meaning:
      'The providers file. When it is set, the file must be there; when it is not, no file means no providers.',
  },
  OUTBOUND_ALLOW: {
    group: 'providers',
    kind: cidrList,
    meaning:
      'Private address ranges that callbacks, media fetches and URLs in text requests may lead to besides public addresses.',
  },
  UPSTREAM_CONNECTIONS: {
    group: 'providers',
    kind: integer({ min: 1, max: 10_000 }),
    default: '256',
    meaning:
      'The most requests that one process has open at one provider. One organization gets three quarters of them, and half while another waits. The last three sixteenths are for organizations that have none open there, one each. Replies that are read on after their clients have left take at most a quarter of them, and those of one organization an eighth.',
  },
  UPSTREAM_CLIENT: {
    group: 'providers',
    kind: oneOf(['lean', 'undici']),
    default: 'lean',
    meaning:
      'Which HTTP/1.1 client calls the providers: `lean` is our own and takes less CPU, `undici` is the library, to compare with when a provider cannot be reached. Only `lean` prefers connections that served the same organization, and closes one after 204, 205 and 304.',
  },
  UPSTREAM_FIRST_BYTE_MS: {
    group: 'providers',
    kind: integer({ min: 100, max: 3_600_000 }),
    default: '600000',
    meaning: 'How long a provider may take before its answer begins.',
  },
  UPSTREAM_IDLE_MS: {
    group: 'providers',
    kind: integer({ min: 100, max: 3_600_000 }),
    default: '300000',
    meaning: 'How long a provider may pause within its answer.',
  },
  HANG_UP_LISTEN_MS: {
    group: 'providers',
    kind: integer({ min: 0, max: 600_000 }),
    default: '10000',
    meaning:
      'How long a text reply whose cost is hidden (whole replies, reasoning, hosted tools, files by address) is read on after its client has left or has all that it gets, for the vendor to say what it cost. `0` ends it at once, like all other streams.',
  },
  HOLD_BACK_MS: {
    group: 'providers',
    kind: integer({ min: 0, max: 600_000 }),
    default: '5000',
    meaning:
      'How long the first events of a text stream are kept back while no content comes (text, reasoning, a tool call or a refusal), counted from the first event. An error until then is a status or goes to a fallback; after it, the reply begins and an error is told in the stream. `0` sends every event at once.',
  },

  VIDEO_WEBHOOK_BASE_URL: {
    group: 'video',
    kind: httpUrl,
    meaning:
      'The public address at which vendors can send notices about tasks. Unset: no notices, and no callbacks for family A.',
  },
  VIDEO_SWEEP_INTERVAL_MS: {
    group: 'video',
    kind: integer({ min: 50, max: 3_600_000 }),
    default: '5000',
    meaning: 'The pause between two sweeps over the tasks that are due.',
  },
  SUBMITTING_RESOLVE_SECONDS: {
    group: 'video',
    kind: integer({ min: 1, max: 172_800 }),
    default: '600',
    meaning:
      'How long a task whose vendor never answered the create call is kept before it fails and its hold is released. A create call may take 70 seconds: with less, the task can fail while its create call is still running.',
  },

  RATE_LIMIT_RPM: {
    group: 'limits',
    kind: integer({ min: 0, max: 10_000_000 }),
    default: '0',
    meaning: 'Requests per minute for keys without a limit of their own. `0`: none.',
  },
  QUOTA_TIMEZONE: {
    group: 'limits',
    kind: timeZone,
    default: 'UTC',
    meaning: 'Where the calendar day of the daily user limits begins and ends.',
  },
  BODY_LIMIT_BYTES: {
    group: 'limits',
    kind: integer({ min: 1_024, max: 1_073_741_824 }),
    default: '33554432',
    meaning:
      'The largest body of the text endpoints; `POST /v1/embeddings` takes 8 MiB at most. All others take 1 MiB.',
  },
  MAX_BODY_BYTES: {
    group: 'limits',
    kind: integer({ min: 1_048_576, max: 1_099_511_627_776 }),
    default: '536870912',
    meaning:
      'How many bytes of request bodies one process holds at once, from their announcement to the end of their answer; a body beyond it is answered with 503 `overloaded` before it is read.',
  },
  MAX_BODY_BYTES_PER_ORGANIZATION: {
    group: 'limits',
    kind: integer({ min: 1_048_576, max: 1_099_511_627_776 }),
    default: '134217728',
    meaning:
      'How many of these bytes one organization may hold; a body beyond it is answered with 429. A single body always finds room.',
  },
  MIN_BODY_BYTES_PER_SECOND: {
    group: 'limits',
    kind: integer({ min: 0, max: 1_073_741_824 }),
    default: '1024',
    meaning:
      'The least rate at which a request body has to arrive, after its first 10 seconds; a slower one is answered with 408, also one of which nothing comes.',
  },
  MAX_IN_FLIGHT: {
    group: 'limits',
    kind: integer({ min: 1, max: 1_000_000 }),
    default: '4096',
    meaning:
      'How many requests one process serves at once; more are answered with 503 `overloaded`. One organization gets all but an eighth of them, and its equal part once so many are taken; beyond that it gets 429. The last of them are for organizations that have none.',
  },
  SHED_LAG_MS: {
    group: 'limits',
    kind: integer({ min: 1, max: 60_000 }),
    default: '250',
    meaning:
      'How far the event loop may fall behind, and how long the bodies of one organization may wait to be read, before its new requests are answered with 503 `overloaded`. Below 32 requests in flight none is refused for it.',
  },

  ...RETENTION_SETTINGS,

  SANDBOX: {
    group: 'sandbox',
    kind: oneOf(['auto', 'on', 'off']),
    default: 'auto',
    meaning:
      'Whether sandbox vendors answer while no provider is configured. `auto`: only on the embedded store and without a providers file; otherwise the gateway refuses to start without providers. `on`: also with `DATABASE_URL` or an empty providers file. `off`: never. What the sandbox makes is charged like the work of a real vendor.',
  },
  SANDBOX_PORT: {
    group: 'sandbox',
    kind: integer({ min: 0, max: 65_535 }),
    default: '0',
    meaning:
      'Port of the sandbox vendors on 127.0.0.1. They run only while no provider is configured. `0`: a free one.',
  },
  SANDBOX_SPEED: {
    group: 'sandbox',
    kind: integer({ min: 1, max: 100_000 }),
    default: '60',
    meaning:
      'How many times faster than real time the sandbox vendors work: with 60, a minute takes a second.',
  },

  ...TELEMETRY_SETTINGS,
} satisfies Record<string, Setting>
