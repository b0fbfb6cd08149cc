import { useRead } from '../api/hooks.ts'
import { Field } from '../parts/fields.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { systemWords } from '../words/system.ts'
import { useWords } from '../words/words.ts'

export function Settings() {
  const t = useWords(systemWords)
  const [filters, setFilters] = useFilters()
  const settings = useRead('GET /settings')
  const wanted = (filters.contains ?? '').toLowerCase()
  return (
    <>
      <div className="filters">
        <Field label={t('filter')}>
          <input
            value={filters.contains ?? ''}
            onChange={({ target }) => setFilters({ contains: target.value || undefined })}
          />
        </Field>
      </div>
      <section className="card">
        <Show of={settings}>
          {({ data }) => (
            <Table
              name="settings"
              label={t('settings')}
              rows={data.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted))}
              keyOf={({ name }) => name}
              columns={[
                { name: 'name', title: t('setting'), cell: ({ name }) => <code>{name}</code> },
                {
                  name: 'value',
                  title: t('value'),
                  cell: ({ value, is_secret }) =>
                    is_secret && value !== null ? (
                      <i>{t('hidden')}</i>
                    ) : value === null ? (
                      <span className="muted">{t('unset')}</span>
                    ) : (
                      <code>{value}</code>
                    ),
                },
                {
                  name: 'is_default',
                  title: t('comesFrom'),
                  cell: ({ is_default }) =>
                    is_default ? <span className="muted">{t('isDefault')}</span> : t('isSet'),
                },
              ]}
            />
          )}
        </Show>
      </section>
    </>
  )
}
