import { useList } from '../api/hooks.ts'
import { Customer, CustomerFilter } from '../parts/customers.tsx'
import { Field } from '../parts/fields.tsx'
import { useFilters } from '../parts/navigate.ts'
import { ListTable } from '../parts/table.tsx'
import { Id, Time } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { systemWords } from '../words/system.ts'
import { useWords } from '../words/words.ts'

export function Audit() {
  const t = useWords(systemWords)
  const frame = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  const { organization_id, actor, action, subject } = filters
  const list = useList('GET /audit', { organization_id, actor, action, subject })
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
      </div>
      <section className="card">
        <ListTable
          label={t('audit')}
          list={list}
          empty={t('noAudit')}
          keyOf={({ id }) => id}
          columns={[
            { title: t('at'), cell: ({ at }) => <Time iso={at} /> },
            { title: t('actor'), cell: (row) => row.actor },
            { title: t('action'), cell: (row) => row.action },
            { title: t('subject'), cell: (row) => <Id id={row.subject} /> },
            {
              title: frame('organization'),
              cell: (row) => row.organization_id !== null && <Customer id={row.organization_id} />,
            },
            { title: t('detail'), cell: ({ detail }) => <code>{JSON.stringify(detail)}</code> },
          ]}
        />
      </section>
    </>
  )
}
