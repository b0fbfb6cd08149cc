import { useState } from 'react'
import type { Reply } from '../api/call.ts'
import { useRead } from '../api/hooks.ts'
import { countColumn } from '../parts/columns.tsx'
import { Customer } from '../parts/customers.tsx'
import { Field } from '../parts/fields.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Count, Duration, Id, Time, Usd } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { moneyWords } from '../words/money.ts'
import { unitWords } from '../words/units.ts'
import { useWords } from '../words/words.ts'

type Charge = Reply<'GET /usage/{id}'>

/** Leads from a request or a task to its cost, line by line, and to its entry. */
export function Trace() {
  const t = useWords(moneyWords)
  const [filters, setFilters] = useFilters()
  const [text, setText] = useState(filters.id ?? '')
  return (
    <>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault()
          setFilters({ id: text.trim() || undefined })
        }}
      >
        <Field label={t('traceHint')}>
          <input value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <button type="submit" className="button primary">
          {t('show')}
        </button>
      </form>
      {filters.id === undefined ? <p className="muted">{t('traceAbout')}</p> : <ChargeCard id={filters.id} />}
    </>
  )
}

export function ChargeCard({ id }: { id: string }) {
  const charge = useRead('GET /usage/{id}', { id })
  return <Show of={charge}>{(found) => <ChargeFacts charge={found} />}</Show>
}

function ChargeFacts({ charge }: { charge: Charge }) {
  const t = useWords(moneyWords)
  const frame = useWords(frameWords)
  const units = useWords(unitWords)
  const isText = 'usage_id' in charge
  return (
    <section className="card">
      <header>
        <h2>{charge.model}</h2>
        <b>
          <Usd micros={charge.cost_micros} />
        </b>
      </header>
      <dl className="facts pad">
        <dt>{frame('organization')}</dt>
        <dd>
          <Customer id={charge.organization_id} />
        </dd>
        <dt>{t('provider')}</dt>
        <dd>{charge.provider ?? '–'}</dd>
        <dt>{t('entry')}</dt>
        <dd>
          <Id id={charge.entry_id} />
        </dd>
        <dt>{t('at')}</dt>
        <dd>
          <Time iso={charge.charged_at} />
        </dd>
        {isText ? (
          <>
            <dt>{t('askedModel')}</dt>
            <dd>{charge.asked_model}</dd>
            <dt>{t('outcome')}</dt>
            <dd>{charge.outcome}</dd>
            <dt>{t('duration')}</dt>
            <dd>
              <Duration ms={charge.duration_ms} />
            </dd>
            <dt>{t('firstByte')}</dt>
            <dd>{charge.first_byte_ms === null ? '–' : <Duration ms={charge.first_byte_ms} />}</dd>
            <dt>{t('losses')}</dt>
            <dd>{charge.losses.join(', ') || '–'}</dd>
            <dt>{t('vendorUsage')}</dt>
            <dd>
              <code>{JSON.stringify(charge.vendor_usage)}</code>
            </dd>
          </>
        ) : (
          <>
            <dt>{t('task')}</dt>
            <dd>
              <Id id={charge.task_id} />
            </dd>
            <dt>{t('seconds')}</dt>
            <dd>
              <Count value={charge.video_seconds} />
            </dd>
            <dt>{t('held')}</dt>
            <dd>
              <Usd micros={charge.hold_micros} />
            </dd>
            <dt>{t('refunded')}</dt>
            <dd>
              <Usd micros={charge.refunded_micros} />
            </dd>
          </>
        )}
      </dl>
      {isText && charge.price_lines !== null && (
        <Table
          name="cost"
          label={t('cost')}
          rows={charge.price_lines}
          keyOf={({ unit, of: part }) => `${unit}${part}`}
          columns={[
            {
              name: 'unit',
              title: t('unit'),
              cell: ({ unit, of: part }) =>
                part === undefined ? units(unit) : `${units(unit)} (${units(part)})`,
            },
            countColumn('quantity', t('quantity')),
            {
              name: 'price_micros',
              title: t('perUnit'),
              isNumber: true,
              cell: ({ unit, price_micros }) => (
                <>
                  <Usd micros={price_micros} />
                  {unit.endsWith('_token') && ' / 1M'}
                </>
              ),
            },
          ]}
        />
      )}
    </section>
  )
}
