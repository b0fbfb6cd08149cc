import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange, useList } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { shortId } from '../format/format.ts'
import { countColumn, moneyColumn, stateColumn, timeColumn } from '../parts/columns.tsx'
import { customerState } from '../parts/customer-state.ts'
import { STAY } from '../parts/dialog.tsx'
import { Field } from '../parts/fields.tsx'
import { FormDialog, numberOrNull } from '../parts/form-dialog.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Empty } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useTimeRange } from '../parts/time-range.tsx'
import { Chip, Id, Usd } from '../parts/values.tsx'
import { customerWords } from '../words/customers.ts'
import { frameWords } from '../words/frame.ts'
import { stateWords } from '../words/states.ts'
import { useWords } from '../words/words.ts'

export function Page() {
  const t = useWords(customerWords)
  const frame = useWords(frameWords)
  const mayChange = useMay('operator')
  const [{ search }, setFilters] = useFilters()
  const range = useTimeRange()
  const list = useList('GET /organizations', { search, ...range })
  const [isOpen, setOpen] = useState(false)
  const button = mayChange && (
    <button type="button" className="button primary" onClick={() => setOpen(true)}>
      {t('create')}
    </button>
  )
  return (
    <>
      <PageHead title={frame('customers')} about={t('about')}>
        {button}
      </PageHead>
      <div className="filters">
        <Field label={frame('customerHint')}>
          <input
            type="search"
            value={search ?? ''}
            onChange={({ target }) => setFilters({ search: target.value || undefined })}
          />
        </Field>
        <TimeRange />
      </div>
      <section className="card">
        <ListTable
          name="customers"
          label={frame('customers')}
          list={list}
          empty={
            search === undefined && range.from === undefined && range.to === undefined ? (
              <Empty title={t('empty')}>{button}</Empty>
            ) : (
              <Empty title={frame('nothingFound')} />
            )
          }
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'name',
              title: t('name'),
              cell: ({ id, name }) => <Id id={id} name={name || t('erasedName', { id: shortId(id) })} />,
            },
            {
              name: 'state',
              title: frame('status'),
              value: customerState,
              cell: (row) => <Chip state={customerState(row)} />,
            },
            stateColumn('billing', t('billing')),
            {
              name: 'balance_micros',
              title: t('balance'),
              isNumber: true,
              cell: (row) => <Usd micros={row.balance_micros} signed={row.balance_micros < 0} />,
            },
            moneyColumn('held_micros', t('held')),
            { ...countColumn('requests_per_minute', t('perMinute'), t('noLimit')), isMinor: true },
            timeColumn('created_at', t('created')),
          ]}
        />
      </section>
      {isOpen && <CreateCustomer onClose={() => setOpen(false)} />}
    </>
  )
}

function CreateCustomer({ onClose }: { onClose(): void }) {
  const t = useWords(customerWords)
  const states = useWords(stateWords)
  const create = useChange('POST /organizations')
  const navigate = useNavigate()
  if (create.data !== undefined) {
    const { id, webhook_secret } = create.data
    const open = () => void navigate({ to: '/customers/$id', params: { id }, search: {} })
    return (
      <ShownOnce title={t('secretOnce')} secret={webhook_secret} onClose={open}>
        <p>{t('secretUse')}</p>
      </ShownOnce>
    )
  }
  return (
    <FormDialog
      title={t('create')}
      action={t('create')}
      fields={[
        { name: 'name', label: t('name') },
        {
          name: 'billing',
          label: t('billing'),
          options: [
            ['prepaid', states('prepaid')],
            ['postpaid', states('postpaid')],
          ],
        },
        {
          ...{ name: 'perMinute', label: t('perMinute'), hint: t('perMinuteHint') },
          ...{ type: 'number', isOptional: true },
        },
      ]}
      onClose={onClose}
      onSubmit={async ({ name = '', billing, perMinute }) => {
        await create.mutateAsync({
          body: {
            name,
            billing: billing === 'postpaid' ? 'postpaid' : 'prepaid',
            requests_per_minute: numberOrNull(perMinute),
          },
        })
        return STAY
      }}
    />
  )
}
