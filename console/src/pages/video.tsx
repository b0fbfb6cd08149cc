import { Link } from '@tanstack/react-router'
import type { Item } from '../api/call.ts'
import { useList } from '../api/hooks.ts'
import {
  customerColumn,
  idColumn,
  moneyColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from '../parts/columns.tsx'
import { CustomerFilter, useCustomerName } from '../parts/customers.tsx'
import { Choice, Field, Segments } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty, Failure, Skeleton } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useTimeRange } from '../parts/time-range.tsx'
import { Chip, Duration, Time, Usd } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { stateWords } from '../words/states.ts'
import { videoWords } from '../words/video.ts'
import { useWords } from '../words/words.ts'
import { TaskScreen } from './task-screen.tsx'

type Task = Item<'GET /tasks'>

const STATUSES = ['submitting', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
const VIEWS = ['gallery', 'table', 'stuck'] as const
const REFRESH_MS = 10_000

export function Page() {
  const t = useWords(videoWords)
  const frame = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  const view = VIEWS.find((one) => one === filters.view) ?? 'gallery'
  const range = useTimeRange()
  const list = useList(
    'GET /tasks',
    {
      organization_id: filters.organization_id,
      status: filters.status,
      model: filters.model,
      created_from: range.from,
      created_to: range.to,
      ...(view === 'stuck' && { stuck: true }),
      limit: view === 'gallery' ? 24 : 100,
    },
    { everyMs: REFRESH_MS },
  )
  return (
    <>
      <PageHead title={frame('video')} about={view === 'stuck' ? t('stuckAbout') : t('about')}>
        <Segments
          label={t('view')}
          value={view}
          options={VIEWS.map((one) => [one, t(one)])}
          onChoose={(one) => setFilters({ view: one })}
        />
      </PageHead>
      <Filters />
      {view === 'gallery' ? <Gallery list={list} /> : <Rows list={list} isStuck={view === 'stuck'} />}
    </>
  )
}

function Filters() {
  const t = useWords(videoWords)
  const frame = useWords(frameWords)
  const states = useWords(stateWords)
  const [filters, setFilters] = useFilters()
  return (
    <div className="filters">
      <CustomerFilter />
      <Choice
        label={frame('status')}
        value={filters.status ?? ''}
        options={[['', frame('all')], ...STATUSES.map((status) => [status, states(status)] as const)]}
        onChoose={(status) => setFilters({ status: status || undefined })}
      />
      <Field label={t('model')}>
        <input
          value={filters.model ?? ''}
          placeholder={t('modelHint')}
          onChange={({ target }) => setFilters({ model: target.value || undefined })}
        />
      </Field>
      <TimeRange />
    </div>
  )
}

type List = ReturnType<typeof useList<'GET /tasks'>>

function Nothing({ isStuck }: { isStuck: boolean }) {
  const t = useWords(videoWords)
  if (isStuck) return <Empty title={t('noneStuck')} />
  return (
    <Empty title={t('empty')}>
      <Link to="/playground" search={{ kind: 'video' } as never}>
        {t('emptyHint')}
      </Link>
    </Empty>
  )
}

function Gallery({ list }: { list: List }) {
  const frame = useWords(frameWords)
  const { rows, error } = list
  if (rows === undefined)
    return error === null ? <Skeleton /> : <Failure error={error} onRetry={() => list.refetch()} />
  if (rows.length === 0) return <Nothing isStuck={false} />
  return (
    <>
      <div className="gallery">
        {rows.map((task) => (
          <Tile key={task.id} task={task} />
        ))}
      </div>
      {list.hasNextPage && (
        <button
          type="button"
          className="button"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {frame('more')}
        </button>
      )}
    </>
  )
}

function Tile({ task }: { task: Task }) {
  const customer = useCustomerName(task.organization_id)
  return (
    <Link to="/video/$id" params={{ id: task.id } as never} search={{} as never} className="card tile">
      <TaskScreen task={task} />
      <span className="pad">
        <span className="row">
          <Chip state={task.status} />
          <Usd micros={task.charged_micros ?? task.held_micros} />
        </span>
        <span className="cut">{task.model}</span>
        <span className="row muted">
          <span className="cut">{customer ?? task.organization_id}</span>
          <Time iso={task.created_at} />
        </span>
      </span>
    </Link>
  )
}

function Rows({ list, isStuck }: { list: List; isStuck: boolean }) {
  const t = useWords(videoWords)
  const frame = useWords(frameWords)
  return (
    <section className="card">
      <ListTable
        name="tasks"
        label={frame('video')}
        list={list}
        empty={<Nothing isStuck={isStuck} />}
        keyOf={({ id }) => id}
        columns={[
          idColumn('id', t('task')),
          stateColumn('status', frame('status')),
          customerColumn(frame('organization')),
          textColumn('model', t('model')),
          moneyColumn('charged_micros', t('charged')),
          { ...moneyColumn('held_micros', t('held')), isMinor: true },
          { ...stateColumn('callback', t('callback')), isMinor: true },
          {
            name: 'age_seconds',
            title: t('age'),
            isNumber: true,
            isMinor: true,
            cell: ({ age_seconds }) => <Duration ms={age_seconds * 1_000} />,
          },
          timeColumn('created_at', t('created')),
        ]}
      />
    </section>
  )
}
