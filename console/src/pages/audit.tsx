import type { Item } from '../api/call.ts'
import { useList } from '../api/hooks.ts'
import { customerColumn, idColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { CustomerFilter } from '../parts/customers.tsx'
import { Field } from '../parts/fields.tsx'
import { useFilters } from '../parts/navigate.ts'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useTimeRange } from '../parts/time-range.tsx'
import { frameWords } from '../words/frame.ts'
import { systemWords } from '../words/system.ts'
import { useWords } from '../words/words.ts'

export function Audit() {
  const t = useWords(systemWords)
  const frame = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  const { organization_id, actor, action, subject } = filters
  const list = useList('GET /audit', { organization_id, actor, action, subject, ...useTimeRange() })
  return (
    <>
      <div className="filters">
        <CustomerFilter />
        {(['actor', 'action', 'subject'] as const).map((name) => (
          <Field key={name} label={t(name)}>
            <input
              value={filters[name] ?? ''}
              onChange={({ target }) => setFilters({ [name]: target.value || undefined })}
            />
          </Field>
        ))}
        <TimeRange />
      </div>
      <section className="card">
        <ListTable
          name="audit"
          label={t('audit')}
          list={list}
          empty={t('noAudit')}
          keyOf={({ id }) => id}
          columns={[
            textColumn('action', t('action')),
            timeColumn('at', t('at')),
            textColumn('actor', t('actor')),
            idColumn('subject', t('subject')),
            { ...customerColumn<Item<'GET /audit'>>(frame('organization')), isMinor: true },
            {
              name: 'detail',
              title: t('detail'),
              isMinor: true,
              cell: ({ detail }) => <code>{JSON.stringify(detail)}</code>,
            },
          ]}
        />
      </section>
    </>
  )
}
