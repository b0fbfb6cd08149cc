import { Link } from '@tanstack/react-router'
import type { Reply } from '../api/call.ts'
import { useList, useRead } from '../api/hooks.ts'
import { countColumn, moneyColumn, stateColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { Field } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Show } from '../parts/states.tsx'
import { ListTable, Table } from '../parts/table.tsx'
import { Usd } from '../parts/values.tsx'
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
  const usage = useRead('GET /usage', { query: { by: 'model', ...range, organization_id: id, limit: 1_000 } })
  const credit = useList('GET /ledger', { organization_id: id, kind: 'credit', ...range })
  const refunds = useList('GET /ledger', { organization_id: id, kind: 'refund', ...range })
  const paid = [...(credit.rows ?? []), ...(refunds.rows ?? [])]
  const charged = (usage.data?.data ?? []).reduce((sum, row) => sum + row.cost_micros, 0)
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
        <button type="button" className="button primary" onClick={() => print()}>
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
          <Usd micros={charged} />
        </dd>
        <dt>{t('paidIn')}</dt>
        <dd>
          <Usd micros={paid.reduce((sum, row) => sum + row.amount_micros, 0)} />
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
          {({ data }) => (
            <Table
              name="statement"
              label={t('usedModels')}
              rows={data}
              keyOf={({ model }) => model ?? ''}
              columns={[
                { name: 'model', title: t('models'), cell: ({ model }) => model },
                countColumn('requests', t('requests')),
                { ...countColumn('input_tokens', t('inputTokens')), isMinor: true },
                { ...countColumn('output_tokens', t('outputTokens')), isMinor: true },
                { ...countColumn('video_seconds', t('videoSeconds')), isMinor: true },
                moneyColumn('cost_micros', t('charged')),
              ]}
            />
          )}
        </Show>
      </section>
      <section className="card">
        <header>
          <h2>{t('paidIn')}</h2>
        </header>
        <ListTable
          name="paid"
          label={t('paidIn')}
          list={{
            ...credit,
            rows: credit.rows === undefined || refunds.rows === undefined ? undefined : paid,
          }}
          empty={t('nothingPaid')}
          keyOf={(row) => row.id}
          columns={[
            timeColumn('created_at', t('created')),
            stateColumn('kind', t('kind')),
            moneyColumn('amount_micros', t('amount'), { signed: true }),
            textColumn('note', t('note')),
          ]}
        />
      </section>
    </div>
  )
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10)
}
