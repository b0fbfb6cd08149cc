import { Link } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { Item } from '../api/call.ts'
import { useChange, useList, useRead } from '../api/hooks.ts'
import { usd } from '../format/format.ts'
import { monthRange } from '../format/ranges.ts'
import { budgetOf, budgetText } from '../parts/amount.ts'
import { ACTIONS, timeColumn } from '../parts/columns.tsx'
import { Confirm, STAY } from '../parts/dialog.tsx'
import { FormDialog, numberOrNull } from '../parts/form-dialog.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { ListTable } from '../parts/table.tsx'
import { useEmptyText, useTimeRange } from '../parts/time-range.tsx'
import { Chip, Copy, None, Time, Usd } from '../parts/values.tsx'
import { customerWords } from '../words/customers.ts'
import { frameWords } from '../words/frame.ts'
import { useLanguage, useWords } from '../words/words.ts'

type Key = Item<'GET /keys'>
type Open = { kind: 'create' } | { kind: 'rotate' | 'revoke' | 'budget'; key: Key }

export function CustomerKeys({ organizationId, mayChange }: { organizationId: string; mayChange: boolean }) {
  const t = useWords(customerWords)
  const frame = useWords(frameWords)
  const list = useList('GET /keys', { organization_id: organizationId, ...useTimeRange() })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const month = useMemo(() => monthRange(Date.now()), [])
  const usage = useRead('GET /usage', {
    query: { by: 'key', ...month, organization_id: organizationId, limit: 1_000 },
  })
  const spent = new Map(usage.data?.data.map((row) => [row.key_id, row.cost_micros]))
  return (
    <section className="card">
      <header>
        <h2>{t('keys')}</h2>
        {mayChange && (
          <button type="button" className="button" onClick={() => setOpen({ kind: 'create' })}>
            {t('addKey')}
          </button>
        )}
      </header>
      <ListTable
        name="keys"
        label={t('keys')}
        list={list}
        empty={useEmptyText(t('noKeys'))}
        keyOf={({ id }) => id}
        columns={[
          { name: 'name', title: t('name'), cell: ({ name, prefix }) => name || prefix },
          { name: 'prefix', title: t('key'), cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
          {
            name: 'state',
            title: frame('status'),
            value: stateOf,
            cell: (key) => <Chip state={stateOf(key)} />,
          },
          {
            name: 'spend',
            title: t('spendMonth'),
            isNumber: true,
            value: ({ id }) => (spent.get(id) ?? 0) / 1_000_000,
            cell: ({ id }) => <Usd micros={spent.get(id) ?? 0} />,
          },
          {
            name: 'monthly_budget_micros',
            title: t('budget'),
            isNumber: true,
            cell: ({ monthly_budget_micros: budget }) =>
              budget === null ? t('noBudget') : <Usd micros={budget} />,
          },
          {
            name: 'last_use',
            title: t('lastUse'),
            value: () => undefined,
            cell: ({ id }) => <LastUse id={id} />,
          },
          {
            name: 'models',
            title: t('models'),
            isMinor: true,
            value: ({ models }) => models?.join(' ') ?? '',
            cell: ({ models }) => models?.join(', ') ?? t('allModels'),
          },
          {
            name: 'expires_at',
            title: t('expires'),
            isMinor: true,
            cell: ({ expires_at }) => (expires_at === null ? t('never') : <Time iso={expires_at} />),
          },
          { ...timeColumn('created_at', t('created')), isCsvOnly: true },
          {
            ...ACTIONS,
            cell: (key) =>
              mayChange &&
              key.revoked_at === null && (
                <>
                  {stateOf(key) === 'active' && (
                    <button type="button" className="plain" onClick={() => setOpen({ kind: 'rotate', key })}>
                      {t('rotate')}
                    </button>
                  )}
                  <button type="button" className="plain" onClick={() => setOpen({ kind: 'budget', key })}>
                    {t('budgetShort')}
                  </button>
                  <button
                    type="button"
                    className="plain bad"
                    onClick={() => setOpen({ kind: 'revoke', key })}
                  >
                    {t('revoke')}
                  </button>
                </>
              ),
          },
        ]}
      />
      {open?.kind === 'create' && <CreateKey organizationId={organizationId} onClose={close} />}
      {open?.kind === 'rotate' && <RotateKey apiKey={open.key} onClose={close} />}
      {open?.kind === 'budget' && <KeyBudget apiKey={open.key} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeKey apiKey={open.key} onClose={close} />}
    </section>
  )
}

/** The newest row of the request log with this key. */
function LastUse({ id }: { id: string }) {
  const { data } = useRead('GET /requests', { query: { key_id: id, limit: 1 } })
  const [last] = data?.data ?? []
  return last === undefined ? (
    <None />
  ) : (
    <Link to="/requests" search={{ key_id: id } as never}>
      <Time iso={last.at} />
    </Link>
  )
}

function stateOf({ revoked_at, expires_at }: Key): string {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active'
}

function CreateKey({ organizationId, onClose }: { organizationId: string; onClose(): void }) {
  const t = useWords(customerWords)
  const list = useList('GET /users', { organization_id: organizationId })
  // The form keeps its first list of users: a user that it creates must not change the field if the key is refused.
  const [users, setUsers] = useState(list.rows)
  if (users === undefined && list.rows !== undefined) setUsers(list.rows)
  const made = useRef<string>(undefined)
  const makeUser = useChange('POST /users')
  const create = useChange('POST /keys')
  if (create.data !== undefined)
    return (
      <ShownOnce title={t('keyOnce')} secret={create.data.key} onClose={onClose}>
        <p>
          {t('keyAddress')} <Copy text={`${location.origin}/v1`} />
        </p>
      </ShownOnce>
    )
  if (users === undefined) return null
  return (
    <FormDialog
      title={t('addKey')}
      action={t('addKey')}
      fields={[
        users.length === 0
          ? { name: 'user', label: t('user'), hint: t('newUserHint') }
          : {
              name: 'user',
              label: t('user'),
              options: users.map(({ id, name }) => [id, name || id] as const),
            },
        { name: 'name', label: t('keyName'), isOptional: true },
        {
          ...{ name: 'perMinute', label: t('perMinute'), hint: t('perMinuteHint') },
          ...{ type: 'number', isOptional: true },
        },
        { name: 'budget', label: t('budgetUsd'), hint: t('budgetHint'), isOptional: true },
        { name: 'models', label: t('models'), hint: t('modelsHint'), isOptional: true },
        {
          name: 'expires',
          label: t('expires'),
          hint: t('expiresHint'),
          type: 'datetime-local',
          isOptional: true,
        },
      ]}
      onClose={onClose}
      onSubmit={async ({ user = '', name, perMinute, budget, models, expires }) => {
        const terms = {
          organization_id: organizationId,
          name: name?.trim() || null,
          requests_per_minute: numberOrNull(perMinute),
          monthly_budget_micros: budgetOf(budget, t('amountWrong')),
          models: models?.trim() ? models.split(',').map((model) => model.trim()) : null,
          expires_at: expires ? new Date(expires).toISOString() : null,
        }
        if (users.length === 0)
          made.current ??= (
            await makeUser.mutateAsync({ body: { organization_id: organizationId, name: user } })
          ).id
        await create.mutateAsync({ body: { ...terms, user_id: made.current ?? user } })
        return STAY
      }}
    />
  )
}

function RotateKey({ apiKey, onClose }: { apiKey: Key; onClose(): void }) {
  const t = useWords(customerWords)
  const rotate = useChange('POST /keys/{id}/rotate')
  if (rotate.data !== undefined)
    return <ShownOnce title={t('keyOnce')} secret={rotate.data.key} onClose={onClose} />
  return (
    <FormDialog
      title={`${t('rotate')}: ${apiKey.name || apiKey.prefix}`}
      action={t('rotate')}
      about={t('rotateAbout')}
      fields={[{ name: 'hours', label: t('overlapHours'), type: 'number', value: '24' }]}
      onClose={onClose}
      onSubmit={async ({ hours }) => {
        await rotate.mutateAsync({
          id: apiKey.id,
          body: { overlap_seconds: Math.round(Number(hours) * 3_600) },
        })
        return STAY
      }}
    />
  )
}

function KeyBudget({ apiKey, onClose }: { apiKey: Key; onClose(): void }) {
  const t = useWords(customerWords)
  const locale = useLanguage()
  const set = useChange('POST /keys/{id}/budget')
  const now = useRead('GET /keys/{id}/budget', { id: apiKey.id }).data
  const { monthly_budget_micros: budget } = apiKey
  return (
    <FormDialog
      title={`${t('budget')}: ${apiKey.name || apiKey.prefix}`}
      action={t('save')}
      about={
        now === undefined
          ? ''
          : t('keyUsed', { used: usd(now.used_micros + now.held_micros, locale), month: now.month })
      }
      fields={[
        {
          name: 'amount',
          label: t('budgetUsd'),
          hint: t('budgetHint'),
          isOptional: true,
          value: budgetText(budget),
        },
      ]}
      onClose={onClose}
      onSubmit={async ({ amount }) =>
        set.mutateAsync({
          id: apiKey.id,
          body: { monthly_budget_micros: budgetOf(amount, t('amountWrong')) },
        })
      }
    />
  )
}

function RevokeKey({ apiKey, onClose }: { apiKey: Key; onClose(): void }) {
  const t = useWords(customerWords)
  const revoke = useChange('DELETE /keys/{id}')
  return (
    <Confirm
      title={`${t('revoke')}: ${apiKey.name || apiKey.prefix}`}
      action={t('revoke')}
      danger
      onClose={onClose}
      onConfirm={() => revoke.mutateAsync({ id: apiKey.id })}
    >
      <p>{t('revokeAbout')}</p>
    </Confirm>
  )
}
