import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readUsage } from '../api/hooks.ts'
import { change, countShort, percent, usdShort } from '../format/format.ts'
import { RANGES, type RangeName, rangeBetween, rangeName, rangeOf, type StepRow } from '../format/ranges.ts'
import { CustomerFilter } from '../parts/customers.tsx'
import { Segments } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty, Show } from '../parts/states.tsx'
import { TimeRange } from '../parts/time-range.tsx'
import { Figure } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { overviewWords } from '../words/overview.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { Breakdown } from './overview-breakdown.tsx'
import { OverviewCharts } from './overview-charts.tsx'
import { FillDemo, RemoveDemo } from './overview-demo.tsx'
import { ProviderHealth, Tasks, Timing } from './overview-now.tsx'

const REFRESH_MS = 30_000

export function Page() {
  const t = useWords(overviewWords)
  const frame = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  const name = rangeName(filters.range)
  const { from, to } = filters
  const range = useMemo(
    () => rangeBetween(from, to, Date.now()) ?? rangeOf(name, Date.now()),
    [name, from, to],
  )
  const organization_id = filters.organization_id
  const ask = ({ from, to }: { from: string; to: string }) => ({
    queryKey: ['usage over time', from, to, range.by, organization_id],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      readUsage({ by: range.by, from, to, organization_id }, signal),
    placeholderData: keepPreviousData,
  })
  const now = useQuery({ ...ask(range), refetchInterval: REFRESH_MS })
  const before = useQuery(ask(range.before)).data ?? []
  return (
    <>
      <PageHead title={frame('overview')} about={t('about')}>
        <Segments
          label={t('range')}
          value={from === undefined ? name : ''}
          options={RANGES.map((one) => [one, one] as [RangeName | '', string])}
          onChoose={(chosen) => setFilters({ range: chosen, from: undefined, to: undefined })}
        />
      </PageHead>
      <div className="filters">
        <CustomerFilter />
        <TimeRange />
      </div>
      <RemoveDemo />
      <Show of={now}>
        {(rows) => (
          <>
            <dl className="figures">
              <Figures rows={rows} before={before} />
              {organization_id === undefined && <Timing from={range.from} to={range.to} />}
            </dl>
            {rows.length === 0 ? (
              <section className="card">
                <Empty title={t('empty')}>
                  <Link to="/playground" search={{}}>
                    {t('tryPlayground')}
                  </Link>
                  <FillDemo />
                </Empty>
              </section>
            ) : (
              <OverviewCharts {...{ rows, before, range }} />
            )}
          </>
        )}
      </Show>
      <Tasks from={range.from} to={range.to} />
      <ProviderHealth />
      <Breakdown from={range.from} to={range.to} />
    </>
  )
}

function sum(rows: readonly StepRow[], value: (row: StepRow) => number): number {
  return rows.reduce((total, row) => total + value(row), 0)
}

function Figures({ rows, before }: { rows: readonly StepRow[]; before: readonly StepRow[] }) {
  const t = useWords(overviewWords)
  const locale = useLanguage()
  const compared = (value: (row: StepRow) => number) => {
    const text = change(sum(rows, value), sum(before, value), locale)
    return text === '' ? t('noBefore') : t('before', { change: text })
  }
  const cost = (row: StepRow) => row.cost_micros
  const requests = (row: StepRow) => row.requests
  const tokens = (row: StepRow) => row.input_tokens + row.output_tokens
  const seconds = (row: StepRow) => row.video_seconds
  const errors = sum(rows, (row) => row.errors)
  return (
    <>
      <Figure name={t('spend')} value={usdShort(sum(rows, cost), locale)} below={compared(cost)} />
      <Figure
        name={t('requests')}
        value={countShort(sum(rows, requests), locale)}
        below={compared(requests)}
      />
      <Figure
        name={t('tokens')}
        value={countShort(sum(rows, tokens), locale)}
        below={t('tokensSplit', {
          input: countShort(
            sum(rows, (row) => row.input_tokens),
            locale,
          ),
          output: countShort(
            sum(rows, (row) => row.output_tokens),
            locale,
          ),
        })}
      />
      <Figure
        name={t('videoSeconds')}
        value={countShort(sum(rows, seconds), locale)}
        below={compared(seconds)}
      />
      <Figure
        name={t('errorRate')}
        value={percent(errors, sum(rows, requests), locale)}
        below={`${countShort(errors, locale)} ${t('errors').toLowerCase()}`}
      />
    </>
  )
}
