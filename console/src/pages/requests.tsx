import { Link } from '@tanstack/react-router'
import type { Item } from '../api/call.ts'
import { useList } from '../api/hooks.ts'
import { microsOf } from '../format/format.ts'
import { type Column, customerColumn, durationColumn, moneyColumn, textColumn } from '../parts/columns.tsx'
import { CustomerFilter } from '../parts/customers.tsx'
import { Choice, Field } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useTimeRange } from '../parts/time-range.tsx'
import { Count, ErrorCode, StatusChip, Time } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { requestWords } from '../words/requests.ts'
import { useWords } from '../words/words.ts'
import { RequestDetail } from './request-detail.tsx'

type Logged = Item<'GET /requests'>

const REFRESH_MS = 15_000
const FEW = ['model', 'status', 'code'] as const
const MORE = ['key_id', 'user_id', 'provider', 'min_cost'] as const
const LABELS = {
  model: 'model',
  status: 'statusCode',
  code: 'codeHint',
  key_id: 'key',
  user_id: 'user',
  provider: 'provider',
  min_cost: 'minCost',
} as const

export function Page() {
  const t = useWords(requestWords)
  const frame = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  const { organization_id, key_id, user_id, model, provider, code, min_cost, id } = filters
  const failed = filters.failed === 'true' ? 'true' : undefined
  const status = /^\d{3}$/.test(filters.status ?? '') ? filters.status : undefined
  const list = useList(
    'GET /requests',
    {
      ...{ organization_id, key_id, user_id, model, provider, status, code, failed },
      min_cost_micros: min_cost === undefined ? undefined : microsOf(min_cost),
      ...useTimeRange(),
    },
    { everyMs: REFRESH_MS },
  )
  const chosen = list.rows?.find((row) => row.request_id === id)
  return (
    <>
      <PageHead title={frame('requests')} about={t('about')} />
      <div className="filters">
        <CustomerFilter />
        {FEW.map((name) => (
          <TextFilter key={name} name={name} label={t(LABELS[name])} />
        ))}
        <Choice
          label={t('outcome')}
          value={failed ?? ''}
          options={[
            ['', frame('all')],
            ['true', t('onlyErrors')],
          ]}
          onChoose={(chosen) => setFilters({ failed: chosen || undefined })}
        />
        <TimeRange />
        <details
          className="more-filters"
          open={MORE.some((name) => filters[name] !== undefined) || undefined}
        >
          <summary>{t('more')}</summary>
          <div className="filters">
            {MORE.map((name) => (
              <TextFilter key={name} name={name} label={t(LABELS[name])} />
            ))}
          </div>
        </details>
      </div>
      <section className="card">
        <ListTable
          name="requests"
          label={frame('requests')}
          list={list}
          empty={
            <Empty title={t('empty')}>
              <Link to="/playground" search={{}}>
                {t('emptyHint')}
              </Link>
            </Empty>
          }
          keyOf={({ request_id, at, key_id: key }) => request_id ?? `${at}${key}`}
          columns={useRequestColumns()}
        />
      </section>
      {id !== undefined && (
        <RequestDetail id={id} logged={chosen} onClose={() => setFilters({ id: undefined })} />
      )}
    </>
  )
}

function TextFilter({ name, label }: { name: keyof typeof LABELS; label: string }) {
  const [filters, setFilters] = useFilters()
  return (
    <Field label={label}>
      <input
        value={filters[name] ?? ''}
        {...(name === 'status' && { inputMode: 'numeric', maxLength: 3 })}
        onChange={({ target }) => setFilters({ [name]: target.value.trim() || undefined })}
      />
    </Field>
  )
}

function useRequestColumns(): Column<Logged>[] {
  const t = useWords(requestWords)
  const frame = useWords(frameWords)
  const [, setFilters] = useFilters()
  return [
    {
      name: 'at',
      title: t('at'),
      cell: ({ at, request_id: id }) =>
        id === null ? (
          <Time iso={at} />
        ) : (
          <button type="button" className="plain" title={id} onClick={() => setFilters({ id })}>
            <Time iso={at} />
          </button>
        ),
    },
    {
      name: 'status',
      title: t('statusCode'),
      cell: ({ status, code, not_kept }) =>
        not_kept === null ? (
          <>
            <StatusChip status={status} isBroken={code !== null} />{' '}
            {code !== null && <ErrorCode code={code} />}
          </>
        ) : (
          t('notKept', { count: not_kept })
        ),
    },
    { ...textColumn<Logged>('operation', t('operation')), isMinor: true },
    customerColumn<Logged>(frame('organization')),
    {
      name: 'model',
      title: t('model'),
      cell: ({ model, served_by }) => (
        <>
          {model}
          {served_by !== null && served_by !== model && <span className="muted"> → {served_by}</span>}
        </>
      ),
    },
    {
      name: 'tokens',
      title: t('tokens'),
      isNumber: true,
      isMinor: true,
      value: ({ input_tokens, output_tokens }) => (input_tokens ?? 0) + (output_tokens ?? 0),
      cell: ({ input_tokens, output_tokens }) =>
        input_tokens === null ? (
          '–'
        ) : (
          <>
            <Count value={input_tokens} /> + <Count value={output_tokens ?? 0} />
          </>
        ),
    },
    moneyColumn<Logged>('cost_micros', t('cost')),
    { ...durationColumn<Logged>('first_token_ms', t('firstToken')), isMinor: true },
    durationColumn<Logged>('duration_ms', t('duration')),
    ...(['code', 'request_id', 'key_id', 'user_id', 'provider', 'served_by', 'task_id'] as const).map(
      (name) => ({
        ...textColumn<Logged>(name, name),
        isCsvOnly: true,
      }),
    ),
  ]
}
