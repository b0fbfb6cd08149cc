import { Link } from '@tanstack/react-router'
import { useAll, useRead } from '../api/hooks.ts'
import { percent } from '../format/format.ts'
import { countColumn, moneyColumn } from '../parts/columns.tsx'
import { Customer } from '../parts/customers.tsx'
import { Segments } from '../parts/fields.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Count, Id } from '../parts/values.tsx'
import { overviewWords } from '../words/overview.ts'
import { useLanguage, useWords } from '../words/words.ts'

const WAYS = ['org', 'model', 'key'] as const
const WAY_WORDS = { org: 'byCustomer', model: 'byModel', key: 'byKey' } as const

/** The sums of a period by customer, model or key, the largest spend first. */
export function Breakdown({ from, to }: { from: string; to: string }) {
  const t = useWords(overviewWords)
  const locale = useLanguage()
  const [filters, setFilters] = useFilters()
  const way = WAYS.find((one) => one === filters.by) ?? 'org'
  const { organization_id } = filters
  const keys = useAll('GET /keys', [{ organization_id }], { enabled: way === 'key' })
  const usage = useRead('GET /usage', {
    query: { by: way, from, to, organization_id, limit: 1_000 },
  })
  const keyNames = new Map(keys.data?.rows.map(({ id, name, prefix }) => [id, name || prefix]))
  return (
    <section className="card">
      <header>
        <h2>{t('breakdown')}</h2>
        <Segments
          label={t('breakdown')}
          value={way}
          options={WAYS.map((one) => [one, t(WAY_WORDS[one])])}
          onChoose={(one) => setFilters({ by: one })}
        />
      </header>
      <Show of={usage}>
        {({ data }) => {
          const rows = data.toSorted((one, other) => other.cost_micros - one.cost_micros)
          const total = rows.reduce((all, row) => all + row.cost_micros, 0)
          return (
            <Table
              name="breakdown"
              label={t('breakdown')}
              rows={rows}
              keyOf={(row) => row.organization_id ?? row.model ?? row.key_id ?? ''}
              columns={[
                {
                  name: 'name',
                  title: t('name'),
                  isCustomer: way === 'org',
                  value: ({ organization_id, model, key_id }) =>
                    organization_id ?? model ?? keyNames.get(key_id ?? '') ?? key_id,
                  cell: ({ organization_id, model, key_id }) =>
                    way === 'org' ? (
                      <Customer id={organization_id} />
                    ) : way === 'model' ? (
                      model
                    ) : (
                      <Link to="/requests" search={{ key_id, from, to } as never}>
                        {keyNames.get(key_id ?? '') ?? <Id id={key_id} />}
                      </Link>
                    ),
                },
                countColumn('requests', t('requests')),
                countColumn('errors', t('errors')),
                {
                  name: 'tokens',
                  title: t('tokens'),
                  isNumber: true,
                  value: (row) => row.input_tokens + row.output_tokens,
                  cell: (row) => <Count value={row.input_tokens + row.output_tokens} />,
                },
                { ...countColumn('video_seconds', t('videoSeconds')), isMinor: true },
                moneyColumn('cost_micros', t('spend')),
                {
                  name: 'share',
                  title: t('share'),
                  isNumber: true,
                  value: (row) => row.cost_micros / Math.max(1, total),
                  cell: (row) => percent(row.cost_micros, total, locale),
                },
              ]}
            />
          )
        }}
      </Show>
    </section>
  )
}
