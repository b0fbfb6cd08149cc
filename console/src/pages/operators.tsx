import { useState } from 'react'
import type { Item } from '../api/call.ts'
import { useChange, useList } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { ACTIONS, textColumn, timeColumn } from '../parts/columns.tsx'
import { Confirm, STAY } from '../parts/dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useEmptyText, useTimeRange } from '../parts/time-range.tsx'
import { Chip } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { systemWords } from '../words/system.ts'
import { useWords } from '../words/words.ts'

const ROLES = ['viewer', 'operator', 'owner'] as const

export function Operators() {
  const t = useWords(systemWords)
  const frame = useWords(frameWords)
  const mayChange = useMay('owner')
  const list = useList('GET /operators', useTimeRange())
  const [isOpen, setOpen] = useState(false)
  const [revoked, setRevoked] = useState<Item<'GET /operators'>>()
  const revoke = useChange('DELETE /operators/{id}')
  return (
    <>
      <div className="filters">
        <TimeRange />
      </div>
      <section className="card">
        <header>
          <h2>{t('operators')}</h2>
          {mayChange && (
            <button type="button" className="button" onClick={() => setOpen(true)}>
              {t('addOperator')}
            </button>
          )}
        </header>
        <ListTable
          name="operators"
          label={t('operators')}
          list={list}
          empty={useEmptyText(t('noOperators'))}
          keyOf={({ id }) => id}
          columns={[
            textColumn('name', t('name')),
            { name: 'role', title: t('role'), cell: ({ role }) => frame(role) },
            {
              name: 'state',
              title: t('state'),
              value: ({ revoked_at }) => (revoked_at === null ? 'active' : 'revoked'),
              cell: ({ revoked_at }) => <Chip state={revoked_at === null ? 'active' : 'revoked'} />,
            },
            timeColumn('created_at', t('created')),
            {
              ...ACTIONS,
              cell: (operator) =>
                mayChange &&
                operator.revoked_at === null && (
                  <button type="button" className="plain bad" onClick={() => setRevoked(operator)}>
                    {t('revoke')}
                  </button>
                ),
            },
          ]}
        />
        {isOpen && <CreateOperator onClose={() => setOpen(false)} />}
        {revoked !== undefined && (
          <Confirm
            title={`${t('revoke')}: ${revoked.name}`}
            action={t('revoke')}
            danger
            onClose={() => setRevoked(undefined)}
            onConfirm={() => revoke.mutateAsync({ id: revoked.id })}
          >
            <p>{t('revokeAbout')}</p>
          </Confirm>
        )}
      </section>
    </>
  )
}

function CreateOperator({ onClose }: { onClose(): void }) {
  const t = useWords(systemWords)
  const frame = useWords(frameWords)
  const create = useChange('POST /operators')
  if (create.data !== undefined)
    return <ShownOnce title={t('tokenOnce')} secret={create.data.token} onClose={onClose} />
  return (
    <FormDialog
      title={t('addOperator')}
      action={t('addOperator')}
      fields={[
        { name: 'name', label: t('name') },
        { name: 'role', label: t('role'), options: ROLES.map((role) => [role, frame(role)] as const) },
      ]}
      onClose={onClose}
      onSubmit={async ({ name = '', role }) => {
        await create.mutateAsync({ body: { name, role: ROLES.find((one) => one === role) ?? 'viewer' } })
        return STAY
      }}
    />
  )
}
