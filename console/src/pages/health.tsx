import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../api/call.ts'
import { useChange, useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { ACTIONS, type Column, textColumn } from '../parts/columns.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Failure, Show, Skeleton } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Chip, Count, Time } from '../parts/values.tsx'
import { providerWords } from '../words/providers.ts'
import { systemWords } from '../words/system.ts'
import { useWords } from '../words/words.ts'
import { Breakers } from './breakers.tsx'
import { type Provider, ProviderActions } from './provider-actions.tsx'

type Checks = Reply<'POST /doctor'>

const REFRESH_MS = 10_000

export function Providers() {
  const t = useWords(systemWords)
  const provider = useWords(providerWords)
  const mayTest = useMay('operator')
  const mayAdd = useMay('owner')
  const [tested, setTested] = useState<string>()
  const providers = useRead('GET /providers', {}, { everyMs: REFRESH_MS })
  const update = useChange('PATCH /providers/{id}')
  return (
    <>
      <section className="card">
        {mayAdd && (
          <header>
            <span />
            <Link to="/models" search={{ view: 'add' } as never} className="button">
              {provider('title')}
            </Link>
          </header>
        )}
        {update.error !== null && <Failure error={update.error} />}
        <Show of={providers}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title={t('noProviders')} />
            ) : (
              <Table
                name="providers"
                label={t('providers')}
                rows={data}
                keyOf={({ name }) => name}
                columns={[
                  { name: 'name', title: t('name'), cell: ({ name }) => <b>{name}</b> },
                  {
                    name: 'state',
                    title: t('state'),
                    value: stateOf,
                    cell: (provider) => <Chip state={stateOf(provider)} />,
                  },
                  textColumn('driver', t('driver')),
                  textColumn('base_url', t('address')),
                  healthColumn('calls', t('calls')),
                  healthColumn('errors', t('errors')),
                  healthColumn('refusals', t('refusals')),
                  healthColumn('keys_resting', t('resting')),
                  {
                    name: 'last_error',
                    title: t('lastError'),
                    isMinor: true,
                    value: ({ health: { last_error } }) =>
                      last_error && `${last_error.outcome} ${last_error.at}`,
                    cell: ({ health: { last_error } }) =>
                      last_error !== null && (
                        <>
                          {last_error.outcome} <Time iso={last_error.at} />
                        </>
                      ),
                  },
                  {
                    ...ACTIONS,
                    // A right-aligned cell keeps its content on one line, and these buttons need two.
                    isNumber: false,
                    cell: (provider) => (
                      <>
                        {mayTest && (
                          <button type="button" className="plain" onClick={() => setTested(provider.name)}>
                            {t('test')}
                          </button>
                        )}
                        <ProviderActions
                          provider={provider}
                          isSwitching={update.isPending}
                          onSwitch={(state) => update.mutate({ id: provider.name, body: { state } })}
                        />
                      </>
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

function healthColumn(
  name: 'calls' | 'errors' | 'refusals' | 'keys_resting',
  title: string,
): Column<Provider> {
  const value = ({ health }: Provider) => health[name]
  return { name, title, isNumber: true, value, cell: (provider) => <Count value={value(provider)} /> }
}

function stateOf({ state, health }: Provider): string {
  if (state !== 'active') return state
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

export function ChecksTable({ checks: { ok, checks } }: { checks: Checks }) {
  const t = useWords(systemWords)
  const warnings = checks.filter(({ warning }) => warning).length
  return (
    <>
      <p className={`notice ${ok ? (warnings > 0 ? 'warn' : 'ok') : 'bad'}`} role="status">
        {ok && warnings > 0 ? t('warned', { count: warnings }) : t(ok ? 'fine' : 'notFine')}
      </p>
      <Table
        name="checks"
        label={t('check')}
        rows={checks}
        keyOf={({ name, detail }) => `${name}${detail}`}
        columns={[
          textColumn('name', t('check')),
          {
            name: 'ok',
            title: t('state'),
            cell: ({ ok: isFine, warning }) => (
              <span className={`chip ${isFine ? (warning ? 'warn' : 'ok') : 'bad'}`}>
                {isFine ? (warning ? '!' : '✓') : '✗'}
              </span>
            ),
          },
          {
            name: 'detail',
            title: t('detail'),
            cell: ({ detail, cause }) => (cause === undefined ? detail : `${detail} (${cause})`),
          },
          { name: 'fix', title: t('fix'), cell: ({ fix }) => fix ?? '' },
        ]}
      />
    </>
  )
}
