/** One row of the suite on real parts: tests that try the same kind of fault. */
export interface FaultRow {
  id: string
  what: string
  /** Approximate duration on 2 idle cores. */
  minutes: number
  /** It asserts on time, throughput or memory, so nothing may run beside it. */
  measures?: true
  files: readonly string[]
}

const FAULTS = 'test/system/faults'
const LIFE = 'test/system/lifecycle'
const EDGE = 'test/api/http-edge'

export const FAULT_ROWS: readonly FaultRow[] = [
  {
    id: 'kill-video',
    what: 'kill -9 at each of 18 points of a video task, 25 times, on both engines: 900 kills',
    minutes: 20,
    files: [`${FAULTS}/video-crash.test.ts`],
  },
  {
    id: 'kill-replicas',
    what: 'kill -9 of one of two replicas at each of 18 points of a video task, 25 times: 450 kills',
    minutes: 15,
    files: [`${FAULTS}/video-takeover.test.ts`],
  },
  {
    id: 'kill-money',
    what: 'kill -9 and crashes of PostgreSQL between settlements',
    minutes: 3,
    files: [`${FAULTS}/ledger-crash.test.ts`],
  },
  {
    id: 'kill-writes',
    what: 'kill -9 between writes, both engines',
    minutes: 1,
    files: [
      `${FAULTS}/store-kill.test.ts`,
      `${FAULTS}/store-claim.test.ts`,
      `${FAULTS}/store-writer.test.ts`,
    ],
  },
  {
    id: 'kill-text',
    what: 'kill -9 during text requests and streams',
    minutes: 3,
    files: ['text-crash', 'text-idempotency', 'usage-kills'].map((name) => `${FAULTS}/${name}.test.ts`),
  },
  {
    id: 'kill-replies',
    what: 'kill -9 and cut connections during kept replies: background, streamed, over a WebSocket',
    minutes: 7,
    files: ['kept-kills', 'kept-charges'].map((name) => `${FAULTS}/${name}.test.ts`),
  },
  {
    id: 'store-unreachable',
    what: 'a store that crashes, falls silent, resets or refuses',
    minutes: 2,
    measures: true,
    files: [`${FAULTS}/store-postgres-away.test.ts`, `${FAULTS}/video-store-away.test.ts`],
  },
  {
    id: 'connections',
    what: 'connections to PostgreSQL, Redis and vendors that are late, cut, reset, silent, half-closed or slow',
    minutes: 8,
    files: [`${FAULTS}/connection-faults.test.ts`],
  },
  {
    id: 'cache-unreachable',
    what: 'Redis restarted, flushed, unreachable, failed over',
    minutes: 2,
    files: [
      `${FAULTS}/cache-groups.test.ts`,
      `${LIFE}/engines-away.test.ts`,
      `${LIFE}/failover.test.ts`,
      'test/engines/limits/redis-away.test.ts',
      'test/engines/limits/flush.test.ts',
    ],
  },
  {
    id: 'disk',
    what: 'a full disk, a read-only disk and damaged files under SQLite',
    minutes: 1,
    files: [`${LIFE}/full-disk.test.ts`, `${LIFE}/broken-files.test.ts`],
  },
  {
    id: 'vendors',
    what: 'vendors that hang, drip, lie, break and storm',
    minutes: 3,
    files: [
      ...['video-upstream', 'outbound-upstream', 'outbound-streams'].map(
        (name) => `${FAULTS}/${name}.test.ts`,
      ),
      'test/api/vendors/video-driver-faults.test.ts',
      'test/api/vendors/vendor-a-assets-faults.test.ts',
      'test/api/outbound/upstream-faults.test.ts',
    ],
  },
  {
    id: 'races',
    what: 'races on one task, one settlement, one key and one asset',
    minutes: 4,
    files: ['video-races', 'video-store-races', 'asset-store-races', 'ledger-races'].map(
      (name) => `${FAULTS}/${name}.test.ts`,
    ),
  },
  {
    id: 'races-of-attempts',
    what: 'races of attempts, lost answers, kills and late successes on two replicas',
    minutes: 11,
    files: [`${FAULTS}/hand-over-races.test.ts`],
  },
  {
    id: 'ledger-steps',
    what: 'money in any order of steps, both engines',
    minutes: 4,
    files: [`${FAULTS}/ledger-property.test.ts`],
  },
  {
    id: 'events',
    what: 'kill -9 while events are sent: none lost, none beyond its attempts',
    minutes: 8,
    files: [`${FAULTS}/event-kills.test.ts`],
  },
  {
    id: 'kill-copies',
    what: 'kill -9 at each of 5 points of a copy, 10 times, on both engines',
    minutes: 10,
    files: [`${FAULTS}/clip-kills.test.ts`],
  },
  {
    id: 'copies',
    what: 'a disk that is full during a copy, an S3 service that refuses, stalls, cuts or lies, and a consent taken back on two replicas',
    minutes: 2,
    files: ['test/api/media/copy-faults.test.ts', `${FAULTS}/revoked-clips.test.ts`],
  },
  {
    id: 'clock',
    what: 'midnight, clock changes and jumps',
    minutes: 1,
    files: ['test/engines/limits/midnight.test.ts', 'test/engines/video-work/clock-jumps.test.ts'],
  },
  {
    id: 'guard',
    what: 'addresses that must not be reached, in every place that takes one, before canaries in a network namespace',
    minutes: 3,
    files: ['outbound-guard', 'outbound-connect-step', 'guard-sinks'].map(
      (name) => `${FAULTS}/${name}.test.ts`,
    ),
  },
  {
    id: 'notices',
    what: 'doubled, late and replayed notices; forged notices, returns, consents, quotes, cursors and keys',
    minutes: 2,
    files: ['test/engines/video-work/notices.test.ts', `${FAULTS}/forged-seals.test.ts`],
  },
  {
    id: 'roles',
    what: 'roles and tenants, from the route table',
    minutes: 1,
    files: ['test/api/admin/matrix.test.ts', `${EDGE}/unauthorized.test.ts`],
  },
  {
    id: 'bad-input',
    what: 'JSONTestSuite, naughty strings and malformed HTTP on every route',
    minutes: 5,
    files: ['naughty', 'json-bodies', 'malformed-http', 'body-sizes', 'unknown-paths'].map(
      (name) => `${EDGE}/${name}.test.ts`,
    ),
  },
  {
    id: 'bodies',
    what: 'generated bodies on every route that takes one',
    minutes: 6,
    files: [`${FAULTS}/generated-bodies.test.ts`],
  },
  {
    id: 'hang-ups',
    what: 'clients that hang up during a stream',
    minutes: 1,
    files: [`${FAULTS}/text-hang-ups.test.ts`],
  },
  {
    id: 'slow-readers',
    what: 'clients that stop reading',
    minutes: 2,
    measures: true,
    files: [`${FAULTS}/text-stalled-readers.test.ts`],
  },
  {
    id: 'restarts',
    what: 'a signal to end during requests, rolling upgrades',
    minutes: 3,
    measures: true,
    files: [
      `${FAULTS}/text-draining.test.ts`,
      `${LIFE}/draining.test.ts`,
      `${LIFE}/leaving.test.ts`,
      `${LIFE}/rolling-upgrade.test.ts`,
    ],
  },
  {
    id: 'rolling',
    what: 'rolling restarts of two replicas behind a balancer, at 200 requests a second with 100 streams',
    minutes: 5,
    measures: true,
    files: [`${FAULTS}/rolling-restarts.test.ts`],
  },
  {
    id: 'provider-changes',
    what: '50 changes of a provider and a price on two replicas, at 200 requests a second',
    minutes: 2,
    measures: true,
    files: [`${FAULTS}/provider-changes.test.ts`],
  },
  {
    id: 'shares',
    what: 'one organization that takes all it can get',
    minutes: 2,
    measures: true,
    files: [
      ...[
        'greedy-neighbour',
        'outbound-shares',
        'outbound-guard-shares',
        'outbound-breaker',
        'outbound-look-ups',
      ].map((name) => `${FAULTS}/${name}.test.ts`),
      'test/engines/video-work/crowd.test.ts',
      `${EDGE}/body-turns.test.ts`,
    ],
  },
  {
    id: 'overload',
    what: 'more requests than a process can serve',
    minutes: 1,
    measures: true,
    files: [`${EDGE}/shedding.test.ts`],
  },
  {
    id: 'fairness',
    what: 'the throughput of one organization beside another that does its worst',
    minutes: 3,
    measures: true,
    files: ['reliability/measured/fairness.test.ts'],
  },
  {
    id: 'goodput',
    what: 'five times the load that a process can carry, and an idle process',
    minutes: 2,
    measures: true,
    files: ['reliability/measured/overload.test.ts'],
  },
  {
    id: 'soak',
    what: 'a soak with seeded chaos on two replicas: memory and books (minutes by `--soak-minutes`)',
    minutes: 33,
    measures: true,
    files: ['reliability/measured/soak.test.ts'],
  },
  {
    id: 'packages',
    what: 'packages with unknown install scripts, old versions or no hash; the SBOM',
    minutes: 1,
    files: ['test/tidy/house.test.ts', 'test/tidy/planted.test.ts', 'test/system/deploy/sbom.test.ts'],
  },
  {
    id: 'secrets',
    what: 'secrets in every secret place, searched for in log, errors, metrics, traces, store and cache; the logs of all rows are searched too',
    minutes: 2,
    files: [
      `${FAULTS}/planted-secrets.test.ts`,
      'test/api/assets/secrets-at-rest.test.ts',
      'test/api/vendors/vendor-a-assets.test.ts',
    ],
  },
]

/** Faults of the catalogue that no row tries. */
export const MISSING: readonly string[] = [
  'Secrets in every secret place during all rows. The row `secrets` plants them in every place on both engines; the other rows plant those of vendors, the deployment and one callback link. The logs of all processes are searched after each row, those of gateways inside a test process are not.',
  'The sending of an event to the `events_url` of an organization is not driven before the canaries of the network namespace.',
]
