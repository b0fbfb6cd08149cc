import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { useChange, useList } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { ACTIONS, countColumn, customerColumn, idColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { Confirm, STAY } from '../parts/dialog.tsx'
import { Choice, Field, Segments } from '../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty, Failure } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useTimeRange } from '../parts/time-range.tsx'
import { Duration } from '../parts/values.tsx'
import { callbackWords } from '../words/callbacks.ts'
import { frameWords } from '../words/frame.ts'
import { stateWords } from '../words/states.ts'
import { useWords } from '../words/words.ts'
import { Events, STATES } from './events.tsx'

const VIEWS = ['callbacks', 'events'] as const
const REFRESH_MS = 10_000

export function Page() {
  const t = useWords(callbackWords)
  const frame = useWords(frameWords)
  const mayChange = useMay('operator')
  const [filters, setFilters] = useFilters()
  const [isTesting, setTesting] = useState(false)
  const view = VIEWS.find((one) => one === filters.view) ?? 'callbacks'
  const isEvents = view === 'events'
  return (
    <>
      <PageHead
        title={isEvents ? t('events') : frame('callbacks')}
        about={isEvents ? t('eventsAbout') : `${t('about')} ${t('secretHint')}`}
      >
        {mayChange && (
          <button type="button" className="button" onClick={() => setTesting(true)}>
            {t('send')}
          </button>
        )}
        <Segments
          label={t('view')}
          value={view}
          options={VIEWS.map((name) => [name, name === 'events' ? t('events') : frame(name)] as const)}
          onChoose={(name) => setFilters({ view: name, state: undefined })}
        />
      </PageHead>
      {isEvents ? <Events isTesting={isTesting} onClose={() => setTesting(false)} /> : <Callbacks />}
      {isTesting && !isEvents && <SendTest onClose={() => setTesting(false)} />}
    </>
  )
}

function Callbacks() {
  const t = useWords(callbackWords)
  const frame = useWords(frameWords)
  const states = useWords(stateWords)
  const mayChange = useMay('operator')
  const [filters, setFilters] = useFilters()
  const [isResending, setResending] = useState(false)
  const list = useList(
    'GET /callbacks',
    { state: filters.state, task_id: filters.task_id, ...useTimeRange() },
    { everyMs: REFRESH_MS },
  )
  const resend = useChange('POST /callbacks/{id}/resend')
  const taskIds = [...new Set(list.rows?.map(({ task_id }) => task_id) ?? [])]
  return (
    <>
      <div className="filters">
        <Choice
          label={t('state')}
          value={filters.state ?? ''}
          options={[['', frame('all')], ...STATES.map((state) => [state, states(state)] as const)]}
          onChoose={(state) => setFilters({ state: state || undefined })}
        />
        <Field label={t('task')}>
          <input
            value={filters.task_id ?? ''}
            onChange={({ target }) => setFilters({ task_id: target.value.trim() || undefined })}
          />
        </Field>
        <TimeRange />
        {mayChange && filters.state === 'given-up' && taskIds.length > 0 && (
          <button type="button" className="button" onClick={() => setResending(true)}>
            {t('resendAll')}
          </button>
        )}
      </div>
      {resend.error !== null && <Failure error={resend.error} />}
      {resend.data !== undefined && (
        <p className="notice ok" role="status">
          {t('resent', { id: resend.data.task_id })}
        </p>
      )}
      <section className="card">
        <ListTable
          name="callbacks"
          label={frame('callbacks')}
          list={list}
          empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
          keyOf={({ task_id, attempt }) => `${task_id}.${attempt}`}
          columns={[
            idColumn('task_id', t('task')),
            timeColumn('at', t('at')),
            customerColumn(frame('organization')),
            textColumn('host', t('host')),
            countColumn('attempt', t('attempt')),
            {
              name: 'status',
              title: t('answer'),
              cell: ({ status }) => (
                <span className={`chip ${isTaken(status) ? 'ok' : 'bad'}`}>{status ?? t('noAnswer')}</span>
              ),
            },
            textColumn('error', t('error')),
            {
              ...ACTIONS,
              cell: ({ task_id }) =>
                mayChange && (
                  <button type="button" className="plain" onClick={() => resend.mutate({ id: task_id })}>
                    {t('resend')}
                  </button>
                ),
            },
          ]}
        />
      </section>
      {isResending && <ResendAll taskIds={taskIds} onClose={() => setResending(false)} />}
    </>
  )
}

/**
 * Resends one after the other, so that the gateway and the receivers are not flooded. The dialog keeps the ids it began
 * with, because resent callbacks leave the list. After an error, the next try begins at the callback that failed.
 */
function ResendAll({ taskIds, onClose }: { taskIds: string[]; onClose(): void }) {
  const t = useWords(callbackWords)
  const client = useQueryClient()
  const [ids] = useState(taskIds)
  const [done, setDone] = useState(0)
  return (
    <Confirm
      title={t('resendAll')}
      action={t('resendAll')}
      onClose={onClose}
      onConfirm={async () => {
        try {
          for (const [index, id] of ids.entries()) {
            if (index < done) continue
            await call('POST /callbacks/{id}/resend', { id })
            setDone(index + 1)
          }
        } finally {
          void client.invalidateQueries()
        }
      }}
    >
      <p>{t('resendAllAbout', { count: ids.length })}</p>
      {done > 0 && <p role="status">{t('sent', { done, count: ids.length })}</p>}
    </Confirm>
  )
}

/** Sends one test callback, signed like a real one; the dialog shows the answer. */
function SendTest({ onClose }: { onClose(): void }) {
  const t = useWords(callbackWords)
  const frame = useWords(frameWords)
  const test = useChange('POST /callbacks/test')
  return (
    <FormDialog
      title={t('send')}
      action={t('send')}
      about={t('sendAbout')}
      fields={[
        { name: 'organization', label: frame('organization'), type: 'customer' },
        { name: 'url', label: t('url') },
      ]}
      onClose={onClose}
      onSubmit={async ({ organization = '', url = '' }) => {
        await test.mutateAsync({ body: { organization_id: organization, url: url.trim() } })
        return STAY
      }}
    >
      {test.data !== undefined && (
        <p className={`notice ${isTaken(test.data.status) ? 'ok' : 'bad'}`} role="status">
          <span>
            {t('answer')}: <b>{test.data.status ?? t('noAnswer')}</b> {test.data.error}
          </span>
          <Duration ms={test.data.duration_ms} />
        </p>
      )}
    </FormDialog>
  )
}

/** Whether the receiver accepted the callback. */
function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
