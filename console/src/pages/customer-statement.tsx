import { Link } from '@tanstack/react-router'
import type { Reply } from '../api/call.ts'
import { useAll } from '../api/hooks.ts'
import { countColumn, moneyColumn, stateColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { Field } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty, Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { None, Usd } from '../parts/values.tsx'
import { customerWords } from '../words/customers.ts'
import { useWords } from '../words/words.ts'

/** Printable month of a customer: its usage, payments and refunds. */
export function CustomerStatement({ organization }: { organization: Reply<'GET /organizations/{id}'> }) {
  const t = useWords(customerWords)
  const [filters, setFilters] = useFilters()
  const { id, name } = organization
  const month = /^\d{4}-\d\d$/.test(filters.month ?? '')
    ? String(filters.month)
    : new Date().toISOString().slice(0, 7)
  const range = { from: `${month}-01`, to: monthAfter(month) }
  const usage = useAll('GET /usage', [{ by: 'model', ...range, organization_id: id, limit: 1_000 }])
  const paid = useAll(
    'GET /ledger',
    ['credit', 'refund'].map((kind) => ({ organization_id: id, kind, ...range })),
  )
  const costMicros = sumOf(usage.data, ({ cost_micros }) => cost_micros)
  const refundedMicros = sumOf(paid.data, (row) => (row.kind === 'refund' ? row.amount_micros : 0))
  // The costs have the refunds subtracted. This statement lists refunds as payments, so they are added back.
  const chargedMicros =
    costMicros === undefined || refundedMicros === undefined ? undefined : costMicros + refundedMicros
  const paidMicros = sumOf(paid.data, ({ amount_micros }) => amount_micros)
  return (
    <div className="statement">
      <PageHead
        title={`${t('statement')}: ${name || id}`}
        about={t('statementAbout')}
        crumb={
          <Link to="/customers/$id" params={{ id } as never} search={{} as never}>
            {name || id}
          </Link>
        }
      >
        <button
          type="button"
          className="button primary"
          disabled={chargedMicros === undefined || paidMicros === undefined}
          onClick={() => print()}
        >
          {t('print')}
        </button>
      </PageHead>
      <div className="filters">
        <Field label={t('month')}>
          <input
            type="month"
            value={month}
            onChange={({ target }) => setFilters({ month: target.value || undefined })}
          />
        </Field>
      </div>
      <dl className="facts card pad">
        <dt>ID</dt>
        <dd>{id}</dd>
        <dt>{t('month')}</dt>
        <dd>{month}</dd>
        <dt>{t('charged')}</dt>
        <dd>
          <Sum micros={chargedMicros} />
        </dd>
        <dt>{t('paidIn')}</dt>
        <dd>
          <Sum micros={paidMicros} />
        </dd>
        <dt>{t('balanceNow')}</dt>
        <dd>
          <Usd micros={organization.balance_micros} />
        </dd>
      </dl>
      <section className="card">
        <header>
          <h2>{t('usedModels')}</h2>
        </header>
        <Show of={usage}>
          {({ rows, isWhole }) => (
            <Table
              name="statement"
              isPrinted
              label={t('usedModels')}
              rows={rows}
              foot={isWhole ? undefined : t('tooMany', { count: rows.length })}
              keyOf={({ model }) => model ?? ''}
              columns={[
                { name: 'model', title: t('models'), cell: ({ model }) => model },
                countColumn('requests', t('requests')),
                { ...countColumn('input_tokens', t('inputTokens')), isMinor: true },
                { ...countColumn('output_tokens', t('outputTokens')), isMinor: true },
                { ...countColumn('video_seconds', t('videoSeconds')), isMinor: true },
                moneyColumn('cost_micros', t('chargedLess')),
              ]}
            />
          )}
        </Show>
      </section>
      <section className="card">
        <header>
          <h2>{t('paidIn')}</h2>
        </header>
        <Show of={paid}>
          {({ rows, isWhole }) =>
            rows.length === 0 ? (
              <Empty title={t('nothingPaid')} />
            ) : (
              <Table
                name="paid"
                isPrinted
                label={t('paidIn')}
                rows={rows}
                foot={isWhole ? undefined : t('tooMany', { count: rows.length })}
                keyOf={(row) => row.id}
                columns={[
                  timeColumn('created_at', t('created')),
                  stateColumn('kind', t('kind')),
                  moneyColumn('amount_micros', t('amount'), { signed: true }),
                  textColumn('note', t('note')),
                ]}
              />
            )
          }
        </Show>
      </section>
    </div>
  )
}

/** Returns the sum of a list, or undefined while rows of it are missing. */
function sumOf<Row>(
  found: { rows: readonly Row[]; isWhole: boolean } | undefined,
  amountOf: (row: Row) => number,
): number | undefined {
  return found?.isWhole ? found.rows.reduce((sum, row) => sum + amountOf(row), 0) : undefined
}

function Sum({ micros }: { micros: number | undefined }) {
  return micros === undefined ? <None /> : <Usd micros={micros} />
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10)
}
