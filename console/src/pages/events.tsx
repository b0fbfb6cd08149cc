import { useChange, useList } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { ACTIONS, countColumn, idColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { Customer, CustomerFilter } from '../parts/customers.tsx'
import { Choice } from '../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty, Failure } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useTimeRange } from '../parts/time-range.tsx'
import { Chip, Usd } from '../parts/values.tsx'
import { callbackWords } from '../words/callbacks.ts'
import { frameWords } from '../words/frame.ts'
import { stateWords } from '../words/states.ts'
import { useWords } from '../words/words.ts'

export const STATES = ['pending', 'delivered', 'given-up'] as const
const TYPES = [
  ...['balance.low', 'balance.empty', 'budget.warning', 'budget.reached', 'key.expiring'],
  ...['callback.given_up', 'task.set_aside', 'provider.down', 'provider.up', 'ledger.broken'],
  ...['store.nearly_full', 'person.revoked', 'event.test'],
]
const REFRESH_MS = 10_000

/** Events of operators and customers, and what their receivers answered. */
export function Events({ isTesting, onClose }: { isTesting: boolean; onClose(): void }) {
  const t = useWords(callbackWords)
  const frame = useWords(frameWords)
  const states = useWords(stateWords)
  const mayChange = useMay('operator')
  const [filters, setFilters] = useFilters()
  const { type, state, organization_id } = filters
  const list = useList(
    'GET /events',
    { type, state, organization_id, ...useTimeRange() },
    { everyMs: REFRESH_MS },
  )
  const resend = useChange('POST /events/{id}/resend')
  return (
    <>
      <div className="filters">
        <Choice
          label={t('type')}
          value={type ?? ''}
          options={[['', frame('all')], ...TYPES.map((one) => [one, one] as const)]}
          onChoose={(chosen) => setFilters({ type: chosen || undefined })}
        />
        <Choice
          label={frame('status')}
          value={state ?? ''}
          options={[['', frame('all')], ...STATES.map((one) => [one, states(one)] as const)]}
          onChoose={(chosen) => setFilters({ state: chosen || undefined })}
        />
        <CustomerFilter />
        <TimeRange />
      </div>
      {resend.error !== null && <Failure error={resend.error} />}
      {resend.data !== undefined && (
        <p className="notice ok" role="status">
          {t('eventResent', { id: resend.data.id })}
        </p>
      )}
      <section className="card">
        <ListTable
          name="events"
          label={t('events')}
          list={list}
          empty={<Empty title={t('eventsEmpty')}>{t('eventsEmptyHint')}</Empty>}
          keyOf={({ id }) => id}
          columns={[
            textColumn('type', t('type')),
            timeColumn('created_at', t('at')),
            {
              name: 'receiver',
              title: t('host'),
              cell: ({ receiver }) => (receiver === 'operator' ? t('operators') : <Customer id={receiver} />),
            },
            {
              name: 'state',
              title: frame('status'),
              cell: ({ receiver, state, last_error }) => (
                <Chip state={receiver === 'operator' && last_error === 'no-address' ? 'listed' : state} />
              ),
            },
            countColumn('attempts', t('attempts')),
            {
              name: 'last_status',
              title: t('answer'),
              value: ({ last_status, last_error }) => last_status ?? last_error,
              cell: ({ receiver, last_status, last_error }) =>
                last_error === 'no-address'
                  ? t(receiver === 'operator' ? 'noEventsUrl' : 'noCustomerUrl')
                  : (last_status ?? last_error ?? '–'),
            },
            { ...timeColumn('next_attempt_at', t('next')), isCsvOnly: true },
            {
              name: 'data',
              title: t('contents'),
              cell: ({ data }) => <Contents data={data} />,
            },
            { ...idColumn('id', 'webhook-id'), isCsvOnly: true },
            {
              ...ACTIONS,
              cell: ({ id }) =>
                mayChange && (
                  <button type="button" className="plain" onClick={() => resend.mutate({ id })}>
                    {t('resend')}
                  </button>
                ),
            },
          ]}
        />
      </section>
      {isTesting && <SendTestEvent onClose={onClose} />}
    </>
  )
}

/** Members of an event in one line; amounts are in dollars, and customers have their names. */
function Contents({ data }: { data: object }) {
  return Object.entries(data).map(([name, value]) => (
    <span key={name}>
      {name === 'organization_id' ? (
        <Customer id={String(value)} />
      ) : (
        <>
          {name.replace(/_micros$/, '').replaceAll('_', ' ')}{' '}
          {name.endsWith('_micros') ? <Usd micros={Number(value)} /> : String(value)}
        </>
      )}{' '}
    </span>
  ))
}

function SendTestEvent({ onClose }: { onClose(): void }) {
  const t = useWords(callbackWords)
  const frame = useWords(frameWords)
  const test = useChange('POST /events/test')
  return (
    <FormDialog
      title={t('sendEvent')}
      action={t('send')}
      about={t('sendEventAbout')}
      fields={[{ name: 'organization', label: frame('organization'), type: 'customer', isOptional: true }]}
      onClose={onClose}
      onSubmit={({ organization }) => test.mutateAsync({ body: { organization_id: organization || null } })}
    />
  )
}
