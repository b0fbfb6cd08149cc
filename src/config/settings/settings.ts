import type { ConfigField } from '../read-fields.ts'
import { inGroup } from './in-group.ts'
import { cidrList } from './kinds/cidr-list.ts'
import { httpUrl, serverUrl } from './kinds/http-url.ts'
import { integer } from './kinds/integer.ts'
import { oneOf, secretText, text } from './kinds/text.ts'
import { timeZone } from './kinds/time-zone.ts'
import { LISTENING_SETTINGS } from './listening-settings.ts'
import { MEDIA_SETTINGS } from './media-settings.ts'
import { OPENID_SETTINGS } from './openid-settings.ts'
import { RETENTION_SETTINGS } from './retention-settings.ts'
import { TELEMETRY_SETTINGS } from './telemetry-settings.ts'

const SECRET_SETTINGS = inGroup('secrets', {
  SLUICE_SECRET: {
    kind: secretText({ min: 32, inHeader: false }),
    meaning:
      'Encrypts secrets in the store and makes the digests of API keys: without it every key is useless. Required with `DATABASE_URL`, the same on every replica. Otherwise Sluice makes one in `DATA_DIR`.',
  },
  SLUICE_SECRET_PREVIOUS: {
    kind: secretText({ min: 32, inHeader: false }),
    meaning:
      'The secret before, while `SLUICE_SECRET` is being changed. `docs/operations.md` has the steps; `sluice doctor` says when it can be removed.',
  },
  ADMIN_API_KEY: {
    kind: secretText({ min: 16, inHeader: true }),
    meaning: 'Key of the admin endpoints, sent as `X-Admin-Key`. Unset: they do not exist.',
  },
})

/** Groups of docs/configuration.md, in its order. */
export const SETTING_GROUPS = {
  listening: 'Listening',
  engines: 'Store and cache',
  secrets: 'Secrets',
  openid: 'Sign-in with OpenID Connect',
  providers: 'Providers and outgoing connections',
  video: 'Video',
  limits: 'Limits',
  retention: 'How long rows are kept',
  media: 'Kept videos',
  sandbox: 'Sandbox',
  telemetry: 'Logs, traces and events',
} as const

export interface Setting<Value = unknown> extends ConfigField<Value> {
  group: keyof typeof SETTING_GROUPS
}

const ENGINES = inGroup('engines', {
  DATA_DIR: {
    kind: text({ takes: 'the path of a folder' }),
    default: './data',
    meaning: "Folder of the SQLite store `sluice.db` and of Sluice's own secret. Unused with `DATABASE_URL`.",
  },
  DATABASE_URL: {
    kind: serverUrl({
      schemes: ['postgres', 'postgresql'],
      example: 'postgres://user:password@db.internal:5432/sluice',
    }),
    meaning: 'PostgreSQL in place of SQLite, with or without `REDIS_URL`.',
  },
  DATABASE_POOL_SIZE: {
    kind: integer({ min: 1, max: 1_000 }),
    default: '10',
    meaning: 'Most PostgreSQL connections of one process.',
  },
  REDIS_URL: {
    kind: serverUrl({
      schemes: ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel', 'redis+cluster', 'rediss+cluster'],
      example: 'redis://:password@cache.internal:6379',
    }),
    meaning:
      'Redis or Valkey in place of the cache in the process, with or without `DATABASE_URL`. Sentinel: `redis+sentinel://:password@host1:26379,host2:26379/NAME` with the watched name, and `?sentinel_password=…` if needed. Cluster: `redis+cluster://:password@host1:6379,host2:6379`. `rediss` in place of `redis` uses TLS.',
  },
})

const PROVIDERS = inGroup('providers', {
  SLUICE_CONFIG: {
    kind: text({ takes: 'the path of a YAML file' }),
    default: './sluice.yaml',
    meaning: 'Path of the providers file. When it is set, the file must exist.',
  },
  OUTBOUND_ALLOW: {
    kind: cidrList,
    meaning: 'Private addresses that callbacks, media fetches and URLs in text requests may lead to.',
  },
  UPSTREAM_CONNECTIONS: {
    kind: integer({ min: 1, max: 10_000 }),
    default: '256',
    meaning:
      'Most open requests of one process at one provider. One organization gets three quarters, and half while another waits; three sixteenths are for organizations without an open one. Replies whose clients have left take at most a quarter.',
  },
  UPSTREAM_CLIENT: {
    kind: oneOf(['lean', 'undici']),
    default: 'lean',
    meaning:
      'HTTP/1.1 client for providers: `lean` is our own and takes less CPU, `undici` is the library, to compare with when a provider fails.',
  },
  UPSTREAM_FIRST_BYTE_MS: {
    kind: integer({ min: 100, max: 3_600_000 }),
    default: '600000',
    meaning: "Time until a provider's answer begins.",
  },
  UPSTREAM_IDLE_MS: {
    kind: integer({ min: 100, max: 3_600_000 }),
    default: '300000',
    meaning: "Longest pause within a provider's answer.",
  },
  HANG_UP_LISTEN_MS: {
    kind: integer({ min: 0, max: 600_000 }),
    default: '10000',
    meaning:
      'Time for which a text reply with hidden cost (whole replies, reasoning, hosted tools, files by address) is read after its client has left or has everything, to learn the cost. `0` ends it immediately, like all other streams.',
  },
  HOLD_BACK_MS: {
    kind: integer({ min: 0, max: 600_000 }),
    default: '5000',
    meaning:
      'Time for which the first events of a text stream are held back until content comes (text, reasoning, a tool call or a refusal). An error until then becomes a status or goes to a fallback; a later one is an event of the stream. `0` holds nothing back.',
  },
})

const VIDEO = inGroup('video', {
  VIDEO_WEBHOOK_BASE_URL: {
    kind: httpUrl,
    meaning:
      "Public address for vendors' notices about tasks. Unset: no notices, and no callbacks for family A unless `VIDEO_CALLBACKS_BY_SWEEP` is on.",
  },
  VIDEO_CALLBACKS_BY_SWEEP: {
    kind: oneOf(['on', 'off']),
    default: 'off',
    meaning:
      'Whether tasks of family A without notices get callbacks too, some seconds later, when the sweep finds their end. When off, a create reply says `x-sluice-callback: none` where no callback will come.',
  },
  VIDEO_SWEEP_INTERVAL_MS: {
    kind: integer({ min: 50, max: 3_600_000 }),
    default: '5000',
    meaning: 'Pause between two sweeps over due tasks.',
  },
  SUBMITTING_RESOLVE_SECONDS: {
    kind: integer({ min: 1, max: 172_800 }),
    default: '600',
    meaning:
      'Time until a task without an answer to its create call fails and its hold is released. A create call may take 70 seconds: with less, the task can fail during the call.',
  },
})

const LIMITS = inGroup('limits', {
  RATE_LIMIT_RPM: {
    kind: integer({ min: 0, max: 10_000_000 }),
    default: '0',
    meaning: 'Requests per minute for keys without their own limit. `0`: no limit.',
  },
  QUOTA_TIMEZONE: {
    kind: timeZone,
    default: 'UTC',
    meaning: 'Time zone of daily user limits and monthly budgets.',
  },
  BODY_LIMIT_BYTES: {
    kind: integer({ min: 1_024, max: 1_073_741_824 }),
    default: '33554432',
    meaning: 'Largest body of the text endpoints; `POST /v1/embeddings` takes up to 8 MiB, others 1 MiB.',
  },
  MAX_BODY_BYTES: {
    kind: integer({ min: 1_048_576, max: 1_099_511_627_776 }),
    default: '536870912',
    meaning:
      'Bytes of request bodies that one process holds, from their announcement to the end of the answer; a body beyond it gets 503 `overloaded` before it is read.',
  },
  MAX_BODY_BYTES_PER_ORGANIZATION: {
    kind: integer({ min: 1_048_576, max: 1_099_511_627_776 }),
    default: '134217728',
    meaning:
      'Share of one organization; a body beyond it gets 429. A single body always fits. Beyond as many bytes of large replies, the oldest unread ones are cut.',
  },
  MIN_BODY_BYTES_PER_SECOND: {
    kind: integer({ min: 0, max: 1_073_741_824 }),
    default: '1024',
    meaning: 'Least rate of a request body after its first 10 seconds; a slower one gets 408.',
  },
  MAX_IN_FLIGHT: {
    kind: integer({ min: 1, max: 1_000_000 }),
    default: '4096',
    meaning:
      'Requests that one process serves at once; more get 503 `overloaded`. One organization gets all but an eighth, and its equal part once so many are taken; beyond that it gets 429. The last are for organizations that have none.',
  },
  SHED_LAG_MS: {
    kind: integer({ min: 1, max: 60_000 }),
    default: '250',
    meaning:
      "Lag of the event loop, or wait of an organization's bodies, from which new requests get 503 `overloaded`: first those of organizations that use more than an equal part of the time. Below 32 requests in flight none is refused.",
  },
})

const SANDBOX = inGroup('sandbox', {
  SANDBOX: {
    kind: oneOf(['auto', 'on', 'off']),
    default: 'auto',
    meaning:
      'Whether sandbox vendors answer while no provider is configured. `auto`: only on the embedded store without a providers file; otherwise the gateway needs providers to start. `on`: also with `DATABASE_URL` or an empty providers file. Sandbox work is charged like real work.',
  },
  SANDBOX_PORT: {
    kind: integer({ min: 0, max: 65_535 }),
    default: '0',
    meaning: 'Port of the sandbox on 127.0.0.1. `0`: the one after `PORT`, or a free one.',
  },
  SANDBOX_SPEED: {
    kind: integer({ min: 1, max: 100_000 }),
    default: '60',
    meaning: 'Speed of the sandbox: with 60, a minute takes a second.',
  },
})

/** Every environment variable that Sluice reads. docs/configuration.md is generated from this table. */
export const SETTINGS = {
  ...LISTENING_SETTINGS,
  ...ENGINES,
  ...SECRET_SETTINGS,
  ...OPENID_SETTINGS,

  ...PROVIDERS,
  ...VIDEO,
  ...LIMITS,
  ...RETENTION_SETTINGS,
  ...MEDIA_SETTINGS,

  ...SANDBOX,
  ...TELEMETRY_SETTINGS,
} satisfies Record<string, Setting>
