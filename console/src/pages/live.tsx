import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { customerColumn, durationColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { CustomerFilter } from '../parts/customers.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Id, StatusChip } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { liveWords } from '../words/live.ts'
import { useWords } from '../words/words.ts'
import { ChargeCard } from './trace.tsx'

interface Seen {
  request_id: string
  at: string
  operation: string
  method: string
  status: number
  duration_ms: number
  organization_id: string | null
  key_id: string | null
  model: string | null
  error_code: string | null
}

/** Maximum number of requests on the page; older ones are in the log. */
const KEPT_MAX = 2_000
const DRAW_MS = 250

export function Page() {
  const t = useWords(liveWords)
  const frame = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  const live = useLive(filters.organization_id)
  const [chosen, setChosen] = useState<Seen>()
  const wanted = (filters.contains ?? filters.key_id ?? '').toLowerCase()
  const rows = live.rows.filter(
    (row) =>
      (filters.errors !== 'true' || row.status >= 400) &&
      [row.operation, row.model, row.key_id, row.request_id, row.error_code].some((text) =>
        (text ?? '').toLowerCase().includes(wanted),
      ),
  )
  return (
    <>
      <PageHead title={frame('live')} about={t('about')}>
        <span className={`chip ${live.isConnected ? 'ok' : 'wait'}`} role="status">
          {t(live.isConnected ? 'connected' : 'connecting')}
        </span>
        <button type="button" className="button" onClick={live.togglePause}>
          {t(live.isPaused ? 'resume' : 'pause')}
        </button>
        <button type="button" className="button" onClick={live.clear}>
          {t('clear')}
        </button>
      </PageHead>
      <div className="filters">
        <CustomerFilter />
        <Field label={t('filter')}>
          <input
            name="contains"
            value={filters.contains ?? filters.key_id ?? ''}
            placeholder={t('filterHint')}
            onChange={({ target }) => setFilters({ contains: target.value || undefined, key_id: undefined })}
          />
        </Field>
        <label className="check">
          <input
            type="checkbox"
            checked={filters.errors === 'true'}
            onChange={({ target }) => setFilters({ errors: target.checked ? 'true' : undefined })}
          />
          {t('errorsOnly')}
        </label>
      </div>
      {live.isPaused && live.waiting > 0 && <p className="notice">{t('waiting', { count: live.waiting })}</p>}
      {live.dropped > 0 && <p className="notice warn">{t('dropped', { count: live.dropped })}</p>}
      <section className="card">
        {rows.length === 0 ? (
          <Empty title={t('empty')}>
            <Link to="/playground" search={{}}>
              {t('emptyHint')}
            </Link>
          </Empty>
        ) : (
          <Table
            name="live"
            label={frame('live')}
            rows={rows}
            keyOf={({ request_id }) => request_id}
            columns={[
              timeColumn('at', t('at')),
              {
                name: 'status',
                title: t('statusCode'),
                cell: ({ status }) => <StatusChip status={status} />,
              },
              textColumn('operation', t('operation')),
              textColumn('model', t('model')),
              customerColumn(frame('organization')),
              durationColumn('duration_ms', t('duration')),
              textColumn('error_code', t('error')),
              {
                name: 'request_id',
                title: t('request'),
                cell: (row) => (
                  <button type="button" className="plain mono" onClick={() => setChosen(row)}>
                    {row.request_id.slice(-8)}
                  </button>
                ),
              },
            ]}
          />
        )}
      </section>
      {chosen !== undefined && <Detail seen={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

function Detail({ seen, onClose }: { seen: Seen; onClose(): void }) {
  const t = useWords(liveWords)
  const isText = seen.model !== null && seen.status < 400
  return (
    <Dialog title={t('detail')} onClose={onClose}>
      <dl className="facts">
        {Object.entries(seen).map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{value === null ? '–' : <Id id={String(value)} name={String(value)} />}</dd>
          </div>
        ))}
      </dl>
      {isText && <ChargeCard id={seen.request_id} />}
    </Dialog>
  )
}

/** Rows are buffered and drawn a few times a second, however many come. */
function useLive(organizationId: string | undefined) {
  const [rows, setRows] = useState<Seen[]>([])
  const [isConnected, setConnected] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const [dropped, setDropped] = useState(0)
  const [waiting, setWaiting] = useState(0)
  const queue = useRef<Seen[]>([])
  const paused = useRef(isPaused)
  paused.current = isPaused

  useEffect(() => {
    const isWanted = (row: Seen) => organizationId === undefined || row.organization_id === organizationId
    queue.current = queue.current.filter(isWanted)
    setRows((old) => old.filter(isWanted))
    const query =
      organizationId === undefined ? '' : `?${new URLSearchParams({ organization_id: organizationId })}`
    const source = new EventSource(`/admin/v1/live${query}`)
    source.onopen = () => setConnected(true)
    source.onerror = () => setConnected(false)
    source.addEventListener('request', ({ data }) => {
      queue.current.unshift(JSON.parse(data))
      queue.current.length = Math.min(queue.current.length, KEPT_MAX)
    })
    source.addEventListener('dropped', ({ data }) => setDropped((sum) => sum + JSON.parse(data).count))
    const timer = setInterval(() => {
      if (paused.current) setWaiting(queue.current.length)
      else if (queue.current.length > 0) {
        const fresh = queue.current
        queue.current = []
        setRows((old) => [...fresh, ...old].slice(0, KEPT_MAX))
      }
    }, DRAW_MS)
    return () => {
      clearInterval(timer)
      source.close()
    }
  }, [organizationId])

  return {
    rows,
    isConnected,
    isPaused,
    dropped,
    waiting,
    togglePause: () => setPaused(!isPaused),
    clear: () => setRows([]),
  }
}
