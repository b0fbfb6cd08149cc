import { useList } from '../api/hooks.ts'
import { Customer, CustomerFilter } from '../parts/customers.tsx'
import { Choice, Field, Segments } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { ListTable } from '../parts/table.tsx'
import { Chip, Id, Time, Usd } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { moneyWords } from '../words/money.ts'
import { stateWords } from '../words/states.ts'
import { useWords } from '../words/words.ts'
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
  const list = useList('GET /ledger', { organization_id, kind, task_id, hold_id, usage_id })
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
          label={t('ledger')}
          list={list}
          empty={t('empty')}
          keyOf={({ id }) => id}
          columns={[
            { title: t('at'), cell: ({ created_at }) => <Time iso={created_at} /> },
            { title: t('kind'), cell: (entry) => <Chip state={entry.kind} /> },
            {
              title: frame('organization'),
              cell: (entry) => <Customer id={entry.organization_id} />,
            },
            {
              title: t('amount'),
              isNumber: true,
              cell: (entry) => <Usd micros={entry.amount_micros} signed />,
            },
            {
              title: t('loss'),
              isNumber: true,
              cell: ({ loss_micros }) => (loss_micros === 0 ? '–' : <Usd micros={loss_micros} />),
            },
            { title: t('task'), cell: (entry) => <Id id={entry.task_id} /> },
            { title: t('note'), cell: ({ note }) => note },
            { title: t('entry'), cell: ({ id }) => <Id id={id} /> },
          ]}
        />
      </section>
    </>
  )
}

function Balances() {
  const t = useWords(moneyWords)
  const frame = useWords(frameWords)
  const list = useList('GET /organizations')
  return (
    <section className="card">
      <ListTable
        label={t('balances')}
        list={list}
        empty={t('empty')}
        keyOf={({ id }) => id}
        columns={[
          { title: frame('organization'), cell: ({ id, name }) => <Id id={id} name={name} /> },
          { title: t('billing'), cell: ({ billing }) => <Chip state={billing} /> },
          { title: t('balance'), isNumber: true, cell: (row) => <Usd micros={row.balance_micros} /> },
          { title: t('held'), isNumber: true, cell: (row) => <Usd micros={row.held_micros} /> },
          {
            title: t('available'),
            isNumber: true,
            cell: (row) => (
              <Usd
                micros={row.balance_micros - row.held_micros}
                signed={row.balance_micros < row.held_micros}
              />
            ),
          },
        ]}
      />
    </section>
  )
}
