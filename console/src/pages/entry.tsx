import { Link } from '@tanstack/react-router'
import type { Reply } from '../api/call.ts'
import { useRead } from '../api/hooks.ts'
import { moneyColumn, textColumn } from '../parts/columns.tsx'
import { Customer } from '../parts/customers.tsx'
import { Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Chip, Copy, Id, Time, Usd } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { moneyWords } from '../words/money.ts'
import { useWords } from '../words/words.ts'

type Traced = Reply<'GET /ledger/{id}'>

/** Links an entry of the ledger to its hold, its task and its requests, which link back to it. */
export function Entry({ id }: { id: string }) {
  const entry = useRead('GET /ledger/{id}', { id })
  return <Show of={entry}>{(found) => <EntryFacts entry={found} />}</Show>
}

function EntryFacts({ entry }: { entry: Traced }) {
  const t = useWords(moneyWords)
  const frame = useWords(frameWords)
  const { hold, requests } = entry
  return (
    <section className="card">
      <header>
        <h2>
          {t('entry')} <Chip state={entry.kind} />
        </h2>
        <b>
          <Usd micros={entry.amount_micros} signed />
        </b>
      </header>
      <dl className="facts pad">
        <dt>ID</dt>
        <dd>
          <Copy text={entry.id} />
        </dd>
        <dt>{frame('organization')}</dt>
        <dd>
          <Customer id={entry.organization_id} />
        </dd>
        <dt>{t('at')}</dt>
        <dd>
          <Time iso={entry.created_at} />
        </dd>
        <dt>{t('loss')}</dt>
        <dd>
          <Usd micros={entry.loss_micros} />
        </dd>
        <dt>{t('note')}</dt>
        <dd>{entry.note ?? '–'}</dd>
        <dt>{t('task')}</dt>
        <dd>
          <Id id={entry.task_id} />
        </dd>
        <dt>{t('hold')}</dt>
        <dd>
          {hold === null ? (
            '–'
          ) : (
            <>
              <Id id={hold.id} /> <Usd micros={hold.amount_micros} /> <Chip state={hold.state} />{' '}
              <Time iso={hold.created_at} /> – <Time iso={hold.ended_at} />
            </>
          )}
        </dd>
      </dl>
      {(hold !== null || entry.usage_id !== null) && (
        <p className="links pad">
          <Link
            to="/money"
            search={(hold === null ? { usage_id: entry.usage_id } : { hold_id: hold.id }) as never}
          >
            {t('sameWork')}
          </Link>
        </p>
      )}
      {requests.length > 0 && (
        <Table
          name="requests"
          label={t('requests')}
          rows={requests}
          keyOf={({ usage_id }) => usage_id}
          columns={[
            {
              name: 'request_id',
              title: t('request'),
              value: (row) => row.request_id ?? row.usage_id,
              cell: (row) => <Id id={row.request_id ?? row.usage_id} />,
            },
            textColumn('model', t('model')),
            moneyColumn('cost_micros', t('cost')),
          ]}
        />
      )}
    </section>
  )
}
