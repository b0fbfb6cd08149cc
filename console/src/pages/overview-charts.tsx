import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { readUsage } from '../api/hooks.ts'
import { countShort, duration, usdShort } from '../format/format.ts'
import type { Range, StepRow } from '../format/ranges.ts'
import { type StackedRow, stackLines } from '../format/stack-lines.ts'
import { Chart, type Line } from '../parts/chart.tsx'
import { useCustomerNamesOf } from '../parts/customers.tsx'
import { Segments } from '../parts/fields.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Show } from '../parts/states.tsx'
import { overviewWords } from '../words/overview.ts'
import { useLanguage, useWords } from '../words/words.ts'

const STACKS = ['total', 'model', 'org'] as const
const STACK_WORDS = { total: 'total', model: 'byModel', org: 'byCustomer' } as const
const METRICS = ['requests', 'tokens', 'errors', 'latency'] as const
const METRIC_WORDS = {
  requests: 'requests',
  tokens: 'tokens',
  errors: 'errors',
  latency: 'latencyTime',
} as const
const VALUES = {
  spend: (row: StepRow) => row.cost_micros,
  requests: (row: StepRow) => row.requests,
  tokens: (row: StepRow) => row.input_tokens + row.output_tokens,
  errors: (row: StepRow) => row.errors,
}

interface Props {
  rows: readonly StepRow[]
  before: readonly StepRow[]
  range: Range
}

/** Spend beside one other figure over time, as a total with the period before or stacked by model or customer. */
export function OverviewCharts({ rows, before, range }: Props) {
  const t = useWords(overviewWords)
  const locale = useLanguage()
  const [filters, setFilters] = useFilters()
  const stack = STACKS.find((one) => one === filters.stack) ?? 'total'
  const metric = METRICS.find((one) => one === filters.metric) ?? 'requests'
  const money = (value: number) => usdShort(value, locale)
  const plain = (value: number) => countShort(value, locale)
  return (
    <>
      <div className="grid">
        <section className="card">
          <header>
            <h2>{t('spend')}</h2>
            <Segments
              label={t('stackedBy')}
              value={stack}
              options={STACKS.map((one) => [one, t(STACK_WORDS[one])])}
              onChoose={(one) => setFilters({ stack: one })}
            />
          </header>
          <div className="pad">
            <Drawn {...{ rows, before, range, stack }} metric="spend" format={money} />
          </div>
        </section>
        <section className="card">
          <header>
            <h2>{t(METRIC_WORDS[metric])}</h2>
            <Segments
              label={t('metric')}
              value={metric}
              options={METRICS.map((one) => [one, t(METRIC_WORDS[one])])}
              onChoose={(one) => setFilters({ metric: one })}
            />
          </header>
          <div className="pad">
            {metric === 'latency' ? (
              <>
                <Latency range={range} />
                {filters.organization_id !== undefined && <p className="muted">{t('everyCustomer')}</p>}
              </>
            ) : (
              <Drawn {...{ rows, before, range, stack, metric }} format={plain} />
            )}
          </div>
        </section>
      </div>
      <p className="muted">{t('chartHint')}</p>
    </>
  )
}

interface DrawnProps extends Props {
  stack: (typeof STACKS)[number]
  metric: keyof typeof VALUES
  format(value: number): string
}

function Drawn({ rows, before, range, stack, metric, format }: DrawnProps) {
  const t = useWords(overviewWords)
  const value = VALUES[metric]
  const stacked = useStacked(range, stack)
  const links = useChartLinks(range, metric === 'errors')
  const lines: Line[] =
    stack !== 'total' && stacked !== undefined
      ? stackLines(stacked, stack, range, value, t('others'))
      : [
          { label: t('thisPeriod'), tone: 'accent', values: range.spread(rows, value) },
          {
            label: t('lastPeriod'),
            tone: 'muted',
            values: range.spreadBefore(before, value),
            isDashed: true,
          },
        ]
  const names = useCustomerNamesOf(stack === 'org' ? lines.map(({ label }) => label) : [])
  return (
    <Chart
      label={t(metric)}
      times={range.times}
      lines={lines.map((line) => ({ ...line, label: names.get(line.label) || line.label }))}
      isStacked={stack !== 'total'}
      format={format}
      {...links}
    />
  )
}

/** Dragging narrows the page to a part of its time; a click shows the requests of one step. */
function useChartLinks(range: Range, isErrors: boolean) {
  const [filters, setFilters] = useFilters()
  const navigate = useNavigate()
  const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
  return {
    onZoom: (from: number, to: number) =>
      setFilters({ from: iso(from), to: iso(to + range.stepMs / 1_000), range: undefined }),
    onPoint: (index: number) => {
      const from = range.times[index]
      if (from === undefined) return
      const search = {
        ...{ from: iso(from), to: iso(from + range.stepMs / 1_000) },
        ...{ organization_id: filters.organization_id },
        ...(isErrors && { failed: 'true' }),
      }
      void navigate({ to: '/requests', search: search as never })
    },
  }
}

/** Reads the sums by step and model or customer. */
function useStacked(range: Range, stack: (typeof STACKS)[number]): StackedRow[] | undefined {
  const [{ organization_id }] = useFilters()
  const { from, to, by } = range
  return useQuery({
    queryKey: ['stacked usage', stack, from, to, by, organization_id],
    enabled: stack !== 'total',
    queryFn: ({ signal }) => readUsage({ by: `${by},${stack}`, from, to, organization_id }, signal),
  }).data
}

const POINTS_MAX = 12

/** Median and 95th percentile of the waiting times, all customers together. */
function Latency({ range }: { range: Range }) {
  const t = useWords(overviewWords)
  const locale = useLanguage()
  const each = Math.max(1, Math.ceil(range.times.length / POINTS_MAX))
  const times = range.times.filter((_, index) => index % each === 0)
  const links = useChartLinks({ ...range, times, stepMs: range.stepMs * each }, false)
  const write = (seconds: number) => {
    const iso = new Date(seconds * 1_000).toISOString()
    return range.by === 'hour' ? `${iso.slice(0, 16)}Z` : iso.slice(0, 10)
  }
  const found = useQuery({
    queryKey: ['latency over time', times],
    queryFn: ({ signal }) =>
      Promise.all(
        times.map(async (from) => {
          const query = { from: write(from), to: write(from + (each * range.stepMs) / 1_000) }
          return (await call('GET /overview', { query, signal })).current.latency_ms
        }),
      ),
  })
  return (
    <Show of={found}>
      {(points) => (
        <Chart
          label={t('latency')}
          times={times}
          lines={[
            { label: 'p50', tone: 'accent', values: points.map(({ p50 }) => p50) },
            { label: 'p95', tone: 'warn', values: points.map(({ p95 }) => p95) },
          ]}
          format={(value) => duration(value, locale)}
          {...links}
        />
      )}
    </Show>
  )
}
