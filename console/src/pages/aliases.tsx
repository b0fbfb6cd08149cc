import { useState } from 'react'
import { useChange, useList } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { ACTIONS, textColumn } from '../parts/columns.tsx'
import { Customer } from '../parts/customers.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Failure } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { frameWords } from '../words/frame.ts'
import { modelWords } from '../words/models.ts'
import { useWords } from '../words/words.ts'

export function Aliases() {
  const t = useWords(modelWords)
  const frame = useWords(frameWords)
  const mayChange = useMay('owner')
  const list = useList('GET /aliases')
  const { rows: models = [] } = useList('GET /models')
  const add = useChange('POST /aliases')
  const remove = useChange('DELETE /aliases/{alias}')
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="card">
      <header>
        <p className="muted">{t('aliasAbout')}</p>
        {mayChange && (
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {t('addAlias')}
          </button>
        )}
      </header>
      {remove.error !== null && <Failure error={remove.error} />}
      <ListTable
        name="aliases"
        label={t('aliases')}
        list={list}
        empty={t('noAliases')}
        keyOf={({ alias, organization_id }) => `${alias} ${organization_id}`}
        columns={[
          textColumn('alias', t('alias')),
          textColumn('model', t('model')),
          {
            name: 'organization_id',
            title: frame('organization'),
            isCustomer: true,
            cell: ({ organization_id: id }) => (id === null ? t('everyCustomer') : <Customer id={id} />),
          },
          {
            ...ACTIONS,
            cell: ({ alias, organization_id }) =>
              mayChange && (
                <button
                  type="button"
                  className="plain bad"
                  onClick={() =>
                    remove.mutate({
                      id: alias,
                      query: organization_id === null ? {} : { organization_id },
                    })
                  }
                >
                  {t('remove')}
                </button>
              ),
          },
        ]}
      />
      {isOpen && (
        <FormDialog
          title={t('addAlias')}
          action={t('addAlias')}
          about={t('aliasAbout')}
          fields={[
            { name: 'alias', label: t('alias') },
            { name: 'model', label: t('model'), options: models.map(({ name }) => [name, name] as const) },
            { name: 'organization', label: t('onlyFor'), isOptional: true },
          ]}
          onClose={() => setOpen(false)}
          onSubmit={({ alias = '', model = '', organization }) =>
            add.mutateAsync({
              body: {
                alias: alias.trim(),
                model,
                ...(organization?.trim() ? { organization_id: organization.trim() } : {}),
              },
            })
          }
        />
      )}
    </section>
  )
}
