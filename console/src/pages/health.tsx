import { useState } from 'react'
import type { Reply } from '../api/call.ts'
import { useChange, useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Failure, Show, Skeleton } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Chip, Count, Time } from '../parts/values.tsx'
import { systemWords } from '../words/system.ts'
import { useWords } from '../words/words.ts'
import { Breakers } from './breakers.tsx'

type Provider = Reply<'GET /providers'>['data'][number]
type Checks = Reply<'POST /doctor'>

const REFRESH_MS = 10_000

export function Providers() {
  const t = useWords(systemWords)
  const mayTest = useMay('operator')
  const [tested, setTested] = useState<string>()
  const providers = useRead('GET /providers', {}, { everyMs: REFRESH_MS })
  return (
    <>
      <section className="card">
        <Show of={providers}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title={t('noProviders')} />
            ) : (
              <Table
                label={t('providers')}
                rows={data}
                keyOf={({ name }) => name}
                columns={[
                  { title: t('name'), cell: ({ name }) => <b>{name}</b> },
                  { title: t('state'), cell: (provider) => <Chip state={stateOf(provider)} /> },
                  { title: t('driver'), cell: ({ driver }) => driver },
                  { title: t('address'), cell: ({ base_url }) => base_url },
                  { title: t('calls'), isNumber: true, cell: ({ health }) => <Count value={health.calls} /> },
                  {
                    title: t('errors'),
                    isNumber: true,
                    cell: ({ health }) => <Count value={health.errors} />,
                  },
                  {
                    title: t('refusals'),
                    isNumber: true,
                    cell: ({ health }) => <Count value={health.refusals} />,
                  },
                  {
                    title: t('resting'),
                    isNumber: true,
                    cell: ({ health }) => <Count value={health.keys_resting} />,
                  },
                  {
                    title: t('lastError'),
                    cell: ({ health: { last_error } }) =>
                      last_error !== null && (
                        <>
                          {last_error.outcome} <Time iso={last_error.at} />
                        </>
                      ),
                  },
                  {
                    title: '',
                    isNumber: true,
                    cell: ({ name }) =>
                      mayTest && (
                        <button type="button" className="button" onClick={() => setTested(name)}>
                          {t('test')}
                        </button>
                      ),
                  },
                ]}
              />
            )
          }
        </Show>
        {tested !== undefined && <TestDialog name={tested} onClose={() => setTested(undefined)} />}
      </section>
      {providers.data !== undefined && <Breakers providers={providers.data.data} />}
    </>
  )
}

function stateOf({ health }: Provider): string {
  if (health.breaker === 'open') return 'down'
  return health.breaker === 'half-open' || health.keys_resting > 0 ? 'resting' : 'up'
}

function TestDialog({ name, onClose }: { name: string; onClose(): void }) {
  const t = useWords(systemWords)
  const test = useChange('POST /providers/{id}/test')
  return (
    <Dialog title={`${t('test')}: ${name}`} onClose={onClose}>
      <p className="muted">{t('testAbout')}</p>
      {test.isPending && <Skeleton />}
      {test.error !== null && <Failure error={test.error} />}
      {test.data !== undefined && <ChecksTable checks={test.data} />}
      <div className="actions">
        <button
          type="button"
          className="button primary"
          disabled={test.isPending}
          onClick={() => test.mutate({ id: name })}
        >
          {t('test')}
        </button>
      </div>
    </Dialog>
  )
}

export function Doctor() {
  const t = useWords(systemWords)
  const mayRun = useMay('operator')
  const doctor = useChange('POST /doctor')
  return (
    <section className="card">
      <header>
        <p>{t('doctorAbout')}</p>
        {mayRun && (
          <button
            type="button"
            className="button primary"
            disabled={doctor.isPending}
            onClick={() => doctor.mutate({})}
          >
            {t(doctor.isPending ? 'running' : 'run')}
          </button>
        )}
      </header>
      {doctor.isPending && <Skeleton />}
      {doctor.error !== null && <Failure error={doctor.error} />}
      {doctor.data !== undefined && <ChecksTable checks={doctor.data} />}
    </section>
  )
}

function ChecksTable({ checks: { ok, checks } }: { checks: Checks }) {
  const t = useWords(systemWords)
  const warnings = checks.filter(({ warning }) => warning).length
  return (
    <>
      <p className={`notice ${ok ? (warnings > 0 ? 'warn' : 'ok') : 'bad'}`} role="status">
        {ok && warnings > 0 ? t('warned', { count: warnings }) : t(ok ? 'fine' : 'notFine')}
      </p>
      <Table
        label={t('check')}
        rows={checks}
        keyOf={({ name, detail }) => `${name}${detail}`}
        columns={[
          { title: t('check'), cell: ({ name }) => name },
          {
            title: t('state'),
            cell: ({ ok: isFine, warning }) => (
              <span className={`chip ${isFine ? (warning ? 'warn' : 'ok') : 'bad'}`}>
                {isFine ? (warning ? '!' : '✓') : '✗'}
              </span>
            ),
          },
          {
            title: t('detail'),
            cell: ({ detail, cause }) => (cause === undefined ? detail : `${detail} (${cause})`),
          },
          { title: t('fix'), cell: ({ fix }) => fix ?? '' },
        ]}
      />
    </>
  )
}
