import { useMemo } from 'react'
import type { Item } from '../api/call.ts'
import { useList, useRead } from '../api/hooks.ts'
import { daysLeft, isLow, paceRange } from '../format/balance.ts'
import { count } from '../format/format.ts'
import {
  customerColumn,
  idColumn,
  moneyColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from '../parts/columns.tsx'
import { CustomerFilter } from '../parts/customers.tsx'
import { Choice, Field, Segments } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useTimeRange } from '../parts/time-range.tsx'
import { Id, Usd } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { moneyWords } from '../words/money.ts'
import { stateWords } from '../words/states.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { Entry } from './entry.tsx'
import { LedgerCheck } from './ledger-check.tsx'
import { Prices } from './prices.tsx'
import { Trace } from './trace.tsx'

const VIEWS = ['ledger', 'balances', 'prices', 'trace'] as const
const KINDS = ['credit', 'settlement', 'usage', 'refund'] as const

export function Page() {
  const t = useWords(moneyWords)
  const frame = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  const view = VIEWS.find((one) => one === filters.view) ?? 'ledger'
  return (
    <>
      <PageHead title={frame('money')} about={t('about')}>
        <LedgerCheck />
        <Segments
          label={t('view')}
          value={view}
          options={VIEWS.map((one) => [one, t(one)])}
          onChoose={(one) => setFilters({ view: one, id: undefined })}
        />
      </PageHead>
      {filters.view === 'entry' ? <Entry id={filters.id ?? ''} /> : view === 'ledger' && <Ledger />}
      {view === 'balances' && <Balances />}
      {view === 'prices' && <Prices />}
      {view === 'trace' && <Trace />}
    </>
  )
}

function Ledger() {
  const t = useWords(moneyWords)
  const frame = useWords(frameWords)
  const states = useWords(stateWords)
  const [filters, setFilters] = useFilters()
  const { organization_id, kind, task_id, hold_id, usage_id } = filters
  const list = useList('GET /ledger', {
    organization_id,
    kind,
    task_id,
    hold_id,
    usage_id,
    ...useTimeRange(),
  })
  return (
    <>
      <div className="filters">
        <CustomerFilter />
        <Choice
          label={t('kind')}
          value={kind ?? ''}
          options={[['', frame('all')], ...KINDS.map((one) => [one, states(one)] as const)]}
          onChoose={(one) => setFilters({ kind: one || undefined })}
        />
        <Field label={t('taskFilter')}>
          <input
            value={task_id ?? ''}
            onChange={({ target }) => setFilters({ task_id: target.value.trim() || undefined })}
          />
        </Field>
        <TimeRange />
        {(hold_id ?? usage_id) !== undefined && (
          <button
            type="button"
            className="button"
            onClick={() => setFilters({ hold_id: undefined, usage_id: undefined })}
          >
            {frame('clear')}
          </button>
        )}
      </div>
      <section className="card">
        <ListTable
          name="ledger"
          label={t('ledger')}
          list={list}
          empty={t('empty')}
          keyOf={({ id }) => id}
          columns={[
            timeColumn('created_at', t('at')),
            stateColumn('kind', t('kind')),
            customerColumn(frame('organization')),
            moneyColumn('amount_micros', t('amount'), { signed: true }),
            {
              name: 'loss_micros',
              title: t('loss'),
              isNumber: true,
              isMinor: true,
              cell: ({ loss_micros }) => (loss_micros === 0 ? '–' : <Usd micros={loss_micros} />),
            },
            { ...idColumn('task_id', t('task')), isMinor: true },
            textColumn('note', t('note')),
            idColumn('id', t('entry')),
          ]}
        />
      </section>
    </>
  )
}

function Balances() {
  const t = useWords(moneyWords)
  const frame = useWords(frameWords)
  const locale = useLanguage()
  const range = useMemo(() => paceRange(Date.now()), [])
  const usage = useRead('GET /usage', { query: { by: 'org', ...range, limit: 1_000 } })
  const spent = new Map(usage.data?.data.map((row) => [row.organization_id, row.cost_micros]))
  const days = (row: Item<'GET /organizations'>) => daysLeft(row, spent.get(row.id) ?? 0)
  const list = useList('GET /organizations')
  return (
    <section className="card">
      <ListTable
        name="balances"
        label={t('balances')}
        list={list}
        empty={t('empty')}
        keyOf={({ id }) => id}
        columns={[
          { name: 'name', title: frame('organization'), cell: ({ id, name }) => <Id id={id} name={name} /> },
          stateColumn('billing', t('billing')),
          moneyColumn('balance_micros', t('balance')),
          moneyColumn('held_micros', t('held')),
          {
            name: 'available',
            title: t('available'),
            isNumber: true,
            value: (row) => (row.balance_micros - row.held_micros) / 1_000_000,
            cell: (row) => (
              <Usd
                micros={row.balance_micros - row.held_micros}
                signed={row.balance_micros < row.held_micros}
              />
            ),
          },
          {
            name: 'days',
            title: t('daysLeft'),
            isNumber: true,
            value: days,
            cell: (row) => {
              const left = days(row)
              if (left === undefined) return '–'
              const isShort = isLow(row, spent.get(row.id) ?? 0)
              return <span className={isShort ? 'bad' : undefined}>{count(Math.floor(left), locale)}</span>
            },
          },
        ]}
      />
    </section>
  )
}
