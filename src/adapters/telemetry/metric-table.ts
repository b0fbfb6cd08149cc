import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Buckets for times from a cached response to a long text stream. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const FIRST_TOKEN_SECONDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 60]
const SPEEDS = [1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1_000]

/** Name, help and labels of every metric except `READ_AT_SCRAPE`, in the order of a scrape. */
// biome-ignore format: a table is read by its rows.
const METRICS = {
  lag: maxGauge('sluice_event_loop_lag_seconds', 'How late the event loop was since the last scrape, as quantiles.', 'quantile'),
  requests: counter('sluice_http_requests_total', 'Requests answered, by operation, method and status.', 'operation method status'),
  requestSeconds: histogram('sluice_http_request_seconds', 'Time from the first byte of a request to the last byte of its answer.', 'operation status', SECONDS),
  requestsShed: counter('sluice_requests_shed_total', 'Requests refused because the gateway was overloaded.'),
  upstreamCalls: counter('sluice_upstream_calls_total', 'Calls to providers, by operation and outcome.', 'provider operation outcome'),
  upstreamSeconds: histogram('sluice_upstream_call_seconds', 'Time of a call to a provider until its answer was complete or failed.', 'provider operation', SECONDS),
  breakers: maxGauge('sluice_breaker_state', 'Breaker of a provider: 0 closed, 1 half-open, 2 open. Over several workers the maximum.', 'provider'),
  errors: counter('sluice_http_errors_total', 'Errors answered, by operation and error code.', 'operation code'),
  textRequests: counter('sluice_text_requests_total', 'Text requests that reached a vendor, by model, provider and outcome.', 'model provider outcome'),
  textErrors: counter('sluice_text_errors_total', 'Text requests that reached a vendor and got an error in place of a reply, by model, provider and error code.', 'model provider code'),
  textTokens: counter('sluice_text_tokens_total', 'Tokens of text requests, by model, provider and kind; no token is in two kinds.', 'model provider kind'),
  textCost: counter('sluice_text_cost_micros_total', 'Micro-USD that text requests cost.', 'model provider'),
  firstToken: histogram('sluice_text_first_token_seconds', "Time from the request to the vendor to the first byte of the vendor's reply.", 'model provider', FIRST_TOKEN_SECONDS),
  speed: histogram('sluice_text_output_tokens_per_second', 'Output tokens of a reply by the seconds that the request took.', 'model provider', SPEEDS),
  fallbacks: counter('sluice_fallbacks_total', 'Text requests that a fallback served in place of the requested model.', 'asked served'),
  routed: counter('sluice_routed_total', 'Text requests for a model with a route, by that model and the target that served.', 'asked served'),
  free: counter('sluice_text_free_total', 'Text requests with usage above zero that cost nothing because their prices are zero.', 'model'),
  keptLocally: counter('sluice_limits_kept_locally_total', 'Decisions about a shared limit that this process took alone because the cache was unreachable.', 'limit'),
  lost: counter('sluice_money_lost_micros_total', 'Micro-USD that work cost and no balance could pay.'),
  exceeded: counter('sluice_holds_exceeded_total', 'Videos that cost more than was held for them.'),
  budgetWarnings: counter('sluice_budget_warnings_total', 'Organizations that reached the warning threshold of their monthly budget.'),
  usageWaiting: gauge('sluice_usage_rows_waiting', 'Usage rows that are not written yet.'),
  expired: counter('sluice_allowances_expired_total', 'Allowances that no replica gave back in time.'),
  expiredMicros: counter('sluice_allowances_expired_micros_total', 'Micro-USD of expired allowances: at most this amount was used and never written.'),
  replies: counter('sluice_text_replies_total', 'Text requests that reached a vendor, by API key and by whether the client left before the end.', 'key hung_up'),
  inputTokens: counter('sluice_text_input_tokens_total', 'Tokens that went into text requests, by API key, model and whether the vendor read them from its cache.', 'key model cached'),
  pools: gauge('sluice_pool_connections', 'Slots of a pool that are busy and idle, and calls that wait for one.', 'pool state'),
  /** Its sum over a cluster is the number of workers in the scrape. */
  workers: gauge('sluice_workers', 'Worker processes whose numbers are in this scrape.'),
  /** Its value is always 1, and its labels tell the versions. */
  build: maxGauge('sluice_build_info', 'The version that runs, and its Node.', 'version node'),
  keysResting: maxGauge('sluice_provider_keys_resting', 'Keys of a provider that rest because it refused or limited them.', 'provider'),
  tasksEnded: counter('sluice_video_tasks_ended_total', 'Video tasks that ended, by model, provider and status.', 'model provider status'),
  videoCost: counter('sluice_video_cost_micros_total', 'Micro-USD that video tasks were charged.', 'model provider'),
  tasksHandedOver: counter('sluice_video_tasks_handed_over_total', 'Video tasks that a stand-in took over, by asked and next model and by reason.', 'asked served reason'),
  callbacks: counter('sluice_callbacks_total', 'Attempts to deliver a callback, by outcome.', 'outcome'),
  verifications: counter('sluice_verifications_total', 'Verifications of people that ended, by result.', 'result'),
  tasksOpen: maxGauge('sluice_video_tasks_open', 'Video tasks that have not ended, by status.', 'status'),
  pollLate: maxGauge('sluice_video_poll_late_seconds', 'Delay of the most overdue poll of a video task.'),
  holds: maxGauge('sluice_holds_open', 'Holds that are open, by what they are for.', 'kind'),
  held: maxGauge('sluice_holds_open_micros', 'Micro-USD in open holds: money at risk.', 'kind'),
}

export type RegisteredMetrics = { [Name in keyof typeof METRICS]: ReturnType<(typeof METRICS)[Name]> }

export function registerMetrics(registry: Registry): RegisteredMetrics {
  const metrics = Object.entries(METRICS).map(([name, register]) => [name, register([registry])])
  return Object.fromEntries(metrics)
}

function counter<const Labels extends string = ''>(name: string, help: string, labels?: Labels) {
  return (registers: Registry[]) => new Counter({ name, help, labelNames: splitLabels(labels), registers })
}

function histogram<const Labels extends string>(
  name: string,
  help: string,
  labels: Labels,
  buckets: number[],
) {
  return (registers: Registry[]) =>
    new Histogram({ name, help, labelNames: splitLabels(labels), buckets, registers })
}

/** Makes a gauge that is summed over several workers. */
function gauge<const Labels extends string = ''>(name: string, help: string, labels?: Labels) {
  return (registers: Registry[]) => new Gauge({ name, help, labelNames: splitLabels(labels), registers })
}

/** Makes a gauge that shows the maximum over workers, which all measure the same thing. */
function maxGauge<const Labels extends string = ''>(name: string, help: string, labels?: Labels) {
  return (registers: Registry[]) =>
    new Gauge({ name, help, labelNames: splitLabels(labels), aggregator: 'max', registers })
}

type SplitLabels<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | SplitLabels<Rest>
  : Text

function splitLabels<Text extends string>(text: Text | undefined): SplitLabels<Text>[] {
  return (text?.split(' ') ?? []) as SplitLabels<Text>[]
}
