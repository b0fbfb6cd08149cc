import { inGroup } from './in-group.ts'
import { cidrList } from './kinds/cidr-list.ts'
import { host, httpUrl } from './kinds/http-url.ts'
import { integer } from './kinds/integer.ts'
import { originList } from './kinds/origin-list.ts'
import { oneOf } from './kinds/text.ts'

export const LISTENING_SETTINGS = inGroup('listening', {
  HOST: {
    kind: host,
    default: '127.0.0.1',
    meaning: 'Address to listen on. `0.0.0.0` listens on every network; put TLS in front of it.',
  },
  PORT: {
    kind: integer({ min: 0, max: 65_535 }),
    default: '8080',
    meaning: 'Port to listen on. `0` takes a free one and prints it.',
  },
  PUBLIC_BASE_URL: {
    kind: httpUrl,
    meaning: 'Address at which clients and vendors reach Sluice. Unset: the address it listens on.',
  },
  TRUSTED_PROXIES: {
    kind: cidrList,
    meaning:
      'Proxies in front of Sluice. Only they may set `X-Forwarded-For`, by which wrong keys are counted (the right-most entry that is not a proxy), and `X-Forwarded-Proto`. Unset: a proxy counts as one client, and `X-Forwarded-Proto` is believed.',
  },
  CORS_ORIGINS: {
    kind: originList,
    meaning:
      'Origins of web pages that may call the API from a browser, except `/admin` and `/console`. Visitors can read a key in a page: give it a budget. Unset: no CORS headers.',
  },
  REQUIRE_VERSION_HEADER: {
    kind: oneOf(['on', 'off']),
    default: 'on',
    meaning:
      'Whether `/v1/messages` refuses requests without `anthropic-version` and `compat-version`. `off`: the version is `2023-06-01` then.',
  },
  MCP: {
    kind: oneOf(['on', 'off']),
    default: 'on',
    meaning: 'Whether agents are served at `/mcp` by the Model Context Protocol.',
  },
  FAST_DOOR: {
    kind: oneOf(['on', 'off']),
    default: 'on',
    meaning:
      "Whether a strict parser in front of Node's server reads plain requests of hot operations, which costs less CPU.",
  },
  HEADERS_TIMEOUT_MS: {
    kind: integer({ min: 100, max: 600_000 }),
    default: '15000',
    meaning: 'Time for the headers of a request to arrive; then 408.',
  },
  REQUEST_TIMEOUT_MS: {
    kind: integer({ min: 100, max: 3_600_000 }),
    default: '300000',
    meaning: 'Time for a whole request, body included, to arrive. Replies may take longer.',
  },
  KEEP_ALIVE_TIMEOUT_MS: {
    kind: integer({ min: 1_000, max: 3_600_000 }),
    default: '72000',
    meaning: 'Time that an idle connection stays open. Keep it above that of your load balancer, often 60 s.',
  },
  SHUTDOWN_GRACE_MS: {
    kind: integer({ min: 0, max: 3_600_000 }),
    default: '8000',
    meaning: 'Time for requests and streams to end after SIGTERM.',
  },
  SHUTDOWN_NOT_READY_MS: {
    kind: integer({ min: 0, max: 3_600_000 }),
    default: '2000',
    meaning:
      'Part of `SHUTDOWN_GRACE_MS`, at most half, in which `/readyz` says 503 and new requests are still answered, so that load balancers notice.',
  },
})
