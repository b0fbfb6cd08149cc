import type { AnyProvider } from './providers/provider.ts'
import type { C2paSigner } from './read-c2pa-signer.ts'
import type { Values } from './read-fields.ts'
import type { settingsInForce } from './settings/in-force.ts'
import type { SETTINGS } from './settings/settings.ts'

/** Configuration. Callers that know the drivers give their `Provider`, which has more members than `AnyProvider`. */
export type AnyConfig<Provider extends AnyProvider = AnyProvider> = ReturnType<typeof arrangeConfig<Provider>>

/** Arranges the settings by the names and groups that the program uses. */
export function arrangeConfig<Provider extends AnyProvider>(
  values: Values<typeof SETTINGS>,
  input: {
    providers: readonly Provider[]
    hasProvidersFile: boolean
    settings: ReturnType<typeof settingsInForce>
    signer: C2paSigner | undefined
  },
) {
  const { providers, hasProvidersFile, settings, signer } = input
  return {
    http: {
      host: values.HOST,
      port: values.PORT,
      /** URL without a final slash. undefined: the listening address. */
      publicBaseUrl: values.PUBLIC_BASE_URL,
      trustedProxies: values.TRUSTED_PROXIES ?? [],
      corsOrigins: values.CORS_ORIGINS ?? [],
      timeouts: {
        headersMs: values.HEADERS_TIMEOUT_MS,
        requestMs: values.REQUEST_TIMEOUT_MS,
        keepAliveMs: values.KEEP_ALIVE_TIMEOUT_MS,
      },
      shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
      shutdownNotReadyMs: values.SHUTDOWN_NOT_READY_MS,
      limits: {
        textBodyBytesMax: values.BODY_LIMIT_BYTES,
        inFlightMax: values.MAX_IN_FLIGHT,
        bodyBytesMax: values.MAX_BODY_BYTES,
        bodyBytesEachMax: values.MAX_BODY_BYTES_PER_ORGANIZATION,
        bodyRateMin: values.MIN_BODY_BYTES_PER_SECOND,
        lagMsMax: values.SHED_LAG_MS,
      },
      fastDoor: values.FAST_DOOR === 'on',
      offersMcp: values.MCP === 'on',
      requiresVersion: values.REQUIRE_VERSION_HEADER === 'on',
    },
    engines: {
      dataDir: values.DATA_DIR,
      /** undefined: SQLite in `dataDir`. */
      databaseUrl: values.DATABASE_URL,
      databasePoolSize: values.DATABASE_POOL_SIZE,
      /** undefined: the cache in the process. */
      redisUrl: values.REDIS_URL,
    },
    secrets: {
      /** undefined only without a database URL: the gateway then makes a secret and keeps it in `dataDir`. */
      deployment: values.SLUICE_SECRET,
      /** Set while the operator changes the secret. */
      previousDeployment: values.SLUICE_SECRET_PREVIOUS,
      /** undefined: no admin endpoints. */
      adminApiKey: values.ADMIN_API_KEY,
    },
    openId: {
      /** undefined: no sign-in with OpenID Connect. */
      issuer: values.OIDC_ISSUER,
      clientId: values.OIDC_CLIENT_ID,
      clientSecret: values.OIDC_CLIENT_SECRET,
      scope: values.OIDC_SCOPE,
      roleClaim: values.OIDC_ROLE_CLAIM,
      roleValues: {
        owner: values.OIDC_ROLE_OWNER ?? [],
        operator: values.OIDC_ROLE_OPERATOR ?? [],
        viewer: values.OIDC_ROLE_VIEWER ?? [],
      },
    },
    /** Empty: the gateway starts the sandbox or refuses to start (`decideSandbox`). */
    providers,
    /** Whether there is a providers file, even an empty one. */
    hasProvidersFile,
    /** Settings for operators, without secrets. */
    settings,
    outbound: {
      allowedRanges: values.OUTBOUND_ALLOW ?? [],
      connectionsPerProvider: values.UPSTREAM_CONNECTIONS,
      client: values.UPSTREAM_CLIENT,
      firstByteTimeoutMs: values.UPSTREAM_FIRST_BYTE_MS,
      idleTimeoutMs: values.UPSTREAM_IDLE_MS,
      hangUpListenMs: values.HANG_UP_LISTEN_MS,
      holdBackMs: values.HOLD_BACK_MS,
    },
    events: {
      /** undefined: operators can list events, and no receiver gets them. */
      url: values.EVENTS_URL,
      secret: values.EVENTS_SECRET,
    },
    video: {
      noticeBaseUrl: values.VIDEO_WEBHOOK_BASE_URL,
      callbacksBySweep: values.VIDEO_CALLBACKS_BY_SWEEP === 'on',
      sweepIntervalMs: values.VIDEO_SWEEP_INTERVAL_MS,
      submittingResolveSeconds: values.SUBMITTING_RESOLVE_SECONDS,
    },
    limits: {
      /** 0: no limit. */
      requestsPerMinute: values.RATE_LIMIT_RPM,
      timeZone: values.QUOTA_TIMEZONE,
    },
    usage: {
      /** 0: rows are kept without limit. */
      rowsKeptDays: values.USAGE_ROWS_KEPT_DAYS,
    },
    repliesKeptMs: values.REPLIES_KEPT_MINUTES * 60_000,
    bodiesKeptMs: values.BODIES_KEPT_HOURS * 3_600_000,
    repliesKeptByDefault: values.REPLIES_KEPT_BY_DEFAULT === 'on',
    /** Retention in days; 0: rows are kept without limit. */
    keptDays: {
      tasks: values.TASKS_KEPT_DAYS,
      contentLinks: values.CONTENT_LINKS_KEPT_DAYS,
      audits: values.AUDIT_ROWS_KEPT_DAYS,
    },
    media: {
      store: values.MEDIA_STORE,
      keptDays: values.MEDIA_KEPT_DAYS,
      bytesMax: values.MEDIA_MAX_MB * 1_000_000,
      /** 0: no limit. */
      organizationBytesMax: values.MEDIA_ORG_MAX_GB * 1_000_000_000,
      s3: {
        endpoint: values.S3_ENDPOINT ?? '',
        region: values.S3_REGION,
        bucket: values.S3_BUCKET ?? '',
        prefix: values.S3_PREFIX,
        accessKey: values.S3_ACCESS_KEY_ID ?? '',
        secretKey: values.S3_SECRET_ACCESS_KEY,
      },
      marks: {
        hasAigc: values.MARK_CLIPS?.includes('aigc') ?? false,
        /** undefined: the host of the public address. */
        aigcProducer: values.AIGC_PRODUCER,
        /** undefined: no manifests are written. */
        signer,
      },
      /** Whether visitors without a key may look up a file by its hash. */
      isVerifiable: values.VERIFY_PAGE === 'on',
    },
    sandbox: { choice: values.SANDBOX, port: values.SANDBOX_PORT, speed: values.SANDBOX_SPEED },
    telemetry: {
      logLevel: values.LOG_LEVEL,
      logFormat: values.LOG_FORMAT,
      hasColours: values.NO_COLOR === undefined,
      /** undefined: no traces. */
      otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
      serviceName: values.OTEL_SERVICE_NAME,
      metricsExporter: values.OTEL_METRICS_EXPORTER,
    },
  }
}

import manifest from '../../package.json' with { type: 'json' }

export const VERSION = manifest.version
