import { useState } from 'react'
import type { Item } from '../api/call.ts'
import { useChange, useList } from '../api/hooks.ts'
import { ACTIONS, timeColumn } from '../parts/columns.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { ListTable } from '../parts/table.tsx'
import { useEmptyText, useTimeRange } from '../parts/time-range.tsx'
import { Chip, Id, Usd } from '../parts/values.tsx'
import { customerWords } from '../words/customers.ts'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'

type User = Item<'GET /users'>

export function CustomerUsers({ organizationId, mayChange }: { organizationId: string; mayChange: boolean }) {
  const t = useWords(customerWords)
  const frame = useWords(frameWords)
  const list = useList('GET /users', { organization_id: organizationId, ...useTimeRange() })
  const create = useChange('POST /users')
  const disable = useChange('POST /users/{id}/disable')
  const enable = useChange('POST /users/{id}/enable')
  const [isOpen, setOpen] = useState(false)
  const [limited, setLimited] = useState<User>()
  return (
    <section className="card">
      <header>
        <h2>{t('users')}</h2>
        {mayChange && (
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {t('addUser')}
          </button>
        )}
      </header>
      <ListTable
        name="users"
        label={t('users')}
        list={list}
        empty={useEmptyText(t('noUsers'))}
        keyOf={({ id }) => id}
        columns={[
          { name: 'name', title: t('name'), cell: ({ id, name }) => name || <Id id={id} /> },
          {
            name: 'state',
            title: frame('status'),
            value: ({ disabled_at }) => (disabled_at === null ? 'enabled' : 'disabled'),
            cell: ({ disabled_at }) => <Chip state={disabled_at === null ? 'enabled' : 'disabled'} />,
          },
          {
            name: 'limit',
            title: t('dailyLimit'),
            isNumber: true,
            value: ({ enable_limit, max_daily_user_limit }) => (enable_limit ? max_daily_user_limit : null),
            cell: ({ enable_limit, max_daily_user_limit }) =>
              enable_limit && max_daily_user_limit !== null ? (
                <Usd micros={Math.round(max_daily_user_limit * 1_000_000)} />
              ) : (
                t('noLimit')
              ),
          },
          timeColumn('created_at', t('created')),
          {
            ...ACTIONS,
            cell: (user) =>
              mayChange && (
                <>
                  <button type="button" className="plain" onClick={() => setLimited(user)}>
                    {t('setLimit')}
                  </button>
                  <button
                    type="button"
                    className="plain"
                    onClick={() => (user.disabled_at === null ? disable : enable).mutate({ id: user.id })}
                  >
                    {t(user.disabled_at === null ? 'disable' : 'enable')}
                  </button>
                </>
              ),
          },
        ]}
      />
      {isOpen && (
        <FormDialog
          title={t('addUser')}
          action={t('addUser')}
          fields={[{ name: 'name', label: t('name') }]}
          onClose={() => setOpen(false)}
          onSubmit={({ name = '' }) =>
            create.mutateAsync({ body: { organization_id: organizationId, name } })
          }
        />
      )}
      {limited !== undefined && <LimitDialog user={limited} onClose={() => setLimited(undefined)} />}
    </section>
  )
}

function LimitDialog({ user, onClose }: { user: User; onClose(): void }) {
  const t = useWords(customerWords)
  const set = useChange('POST /users/{id}/limit')
  return (
    <FormDialog
      title={`${t('setLimit')}: ${user.name}`}
      action={t('save')}
      fields={[
        { name: 'limit', label: t('amount'), value: String(user.max_daily_user_limit ?? '') },
        {
          name: 'state',
          label: t('dailyLimit'),
          value: user.enable_limit || user.max_daily_user_limit === null ? 'on' : 'off',
          options: [
            ['on', t('limitOn')],
            ['off', t('limitOff')],
          ],
        },
      ]}
      onClose={onClose}
      onSubmit={({ limit = '', state }) =>
        set.mutateAsync({
          id: user.id,
          body: { max_daily_user_limit: limit.trim(), enable_limit: state === 'on' },
        })
      }
    />
  )
}
