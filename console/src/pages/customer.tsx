import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../api/call.ts'
import { useChange, useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { shortId, usd } from '../format/format.ts'
import { amountOf } from '../parts/amount.ts'
import { customerState } from '../parts/customer-state.ts'
import { Confirm, STAY } from '../parts/dialog.tsx'
import { FormDialog, numberOrNull } from '../parts/form-dialog.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useId } from '../parts/navigate.ts'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Show } from '../parts/states.tsx'
import { Chip, Copy, Count, Time, Usd } from '../parts/values.tsx'
import { customerWords } from '../words/customers.ts'
import { frameWords } from '../words/frame.ts'
import { stateWords } from '../words/states.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { CustomerKeys } from './customer-keys.tsx'
import { CustomerUsage } from './customer-usage.tsx'
import { CustomerUsers } from './customer-users.tsx'

type Organization = Reply<'GET /organizations/{id}'>
type Open = 'edit' | 'disable' | 'top-up' | 'budget' | 'secret'

export function Page() {
  const id = useId()
  const organization = useRead('GET /organizations/{id}', { id })
  return <Show of={organization}>{(found) => <Customer organization={found} />}</Show>
}

function Customer({ organization }: { organization: Organization }) {
  const t = useWords(customerWords)
  const frame = useWords(frameWords)
  const mayChange = useMay('operator') && customerState(organization) !== 'erased'
  const [open, setOpen] = useState<Open>()
  const enable = useChange('POST /organizations/{id}/enable')
  const { id, name, disabled_at } = organization
  const action = (which: Open, text: string, style = 'button') => (
    <button type="button" className={style} onClick={() => setOpen(which)}>
      {text}
    </button>
  )
  return (
    <>
      <PageHead
        title={name || shortId(id)}
        crumb={
          <Link to="/customers" search={{}}>
            {frame('customers')}
          </Link>
        }
      >
        {mayChange && (
          <>
            {action('top-up', t('topUp'), 'button primary')}
            {action('edit', t('edit'))}
            {action('budget', t('budget'))}
            {action('secret', t('secret'))}
            {disabled_at === null ? (
              action('disable', t('disable'), 'button danger')
            ) : (
              <button type="button" className="button" onClick={() => enable.mutate({ id })}>
                {t('enable')}
              </button>
            )}
          </>
        )}
      </PageHead>
      <div className="grid">
        <Facts organization={organization} />
        <CustomerUsage id={id} />
      </div>
      <CustomerUsers organizationId={id} mayChange={mayChange} />
      <CustomerKeys organizationId={id} mayChange={mayChange} />
      {open !== undefined && (
        <Actions open={open} organization={organization} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

function Facts({ organization }: { organization: Organization }) {
  const t = useWords(customerWords)
  const frame = useWords(frameWords)
  const locale = useLanguage()
  const { id, billing } = organization
  const budget = useRead('GET /organizations/{id}/budget', { id }).data
  return (
    <section className="card pad">
      <dl className="facts">
        <dt>ID</dt>
        <dd>
          <Copy text={id} />
        </dd>
        <dt>{frame('status')}</dt>
        <dd>
          <Chip state={customerState(organization)} /> <Chip state={billing} />
        </dd>
        <dt>{t('balance')}</dt>
        <dd>
          <Usd micros={organization.balance_micros} />
        </dd>
        <dt>{t('held')}</dt>
        <dd>
          <Usd micros={organization.held_micros} />
        </dd>
        <dt>{t('perMinute')}</dt>
        <dd>
          {organization.requests_per_minute === null ? (
            t('noLimit')
          ) : (
            <Count value={organization.requests_per_minute} />
          )}
        </dd>
        <dt>{t('keepReplies')}</dt>
        <dd>{t(`keepReplies_${organization.keep_replies ?? 'none'}`)}</dd>
        <dt>{t('budget')}</dt>
        <dd>
          {budget?.monthly_budget_micros
            ? t('budgetUsed', {
                used: usd(budget.used_micros + budget.held_micros, locale),
                budget: usd(budget.monthly_budget_micros, locale),
                month: budget.month,
              })
            : t('noLimit')}
        </dd>
        <dt>{t('created')}</dt>
        <dd>
          <Time iso={organization.created_at} />
        </dd>
      </dl>
      <p className="links">
        <Link to="/video" search={{ organization_id: id } as never}>
          {t('seeTasks')}
        </Link>
        <Link to="/money" search={{ organization_id: id } as never}>
          {t('seeLedger')}
        </Link>
      </p>
    </section>
  )
}

/** Choices for keeping replies; `none`: the gateway's own setting applies. */
const KEEP_REPLIES = ['default', 'asked', 'none'] as const

interface ActionsProps {
  open: Open
  organization: Organization
  onClose(): void
}

function Actions({
  open,
  organization: { id, name, billing, requests_per_minute, keep_replies },
  onClose,
}: ActionsProps) {
  const t = useWords(customerWords)
  const states = useWords(stateWords)
  const update = useChange('POST /organizations/{id}')
  const disable = useChange('POST /organizations/{id}/disable')
  const credit = useChange('POST /credit')
  const budget = useChange('POST /organizations/{id}/budget')
  const secret = useChange('POST /organizations/{id}/secret')
  if (secret.data !== undefined)
    return <ShownOnce title={t('secretOnce')} secret={secret.data.webhook_secret} onClose={onClose} />
  if (open === 'disable')
    return (
      <Confirm
        title={`${t('disable')}: ${name}`}
        action={t('disable')}
        danger
        onClose={onClose}
        onConfirm={() => disable.mutateAsync({ id })}
      >
        <p>{t('disableAbout')}</p>
      </Confirm>
    )
  if (open === 'secret')
    return (
      <Confirm
        title={t('secret')}
        action={t('secret')}
        onClose={onClose}
        onConfirm={async () => {
          await secret.mutateAsync({ id })
          return STAY
        }}
      >
        <p>{t('secretAbout')}</p>
      </Confirm>
    )
  if (open === 'top-up')
    return (
      <FormDialog
        title={`${t('topUp')}: ${name}`}
        action={t('topUp')}
        fields={[
          { name: 'amount', label: t('amount') },
          { name: 'note', label: t('note'), isOptional: true },
        ]}
        onClose={onClose}
        onSubmit={async ({ amount, note }) => {
          const amount_micros = amountOf(amount, t('amountWrong'))
          return credit.mutateAsync({ body: { organization_id: id, amount_micros, note: note || null } })
        }}
      />
    )
  if (open === 'budget')
    return (
      <FormDialog
        title={t('budget')}
        action={t('save')}
        fields={[
          { name: 'amount', label: t('amount'), hint: t('budgetHint'), isOptional: true },
          { name: 'warnAt', label: t('warnAt'), type: 'number', value: '80' },
        ]}
        onClose={onClose}
        onSubmit={async ({ amount, warnAt }) => {
          const monthly_budget_micros = amount?.trim() ? amountOf(amount, t('amountWrong')) : null
          return budget.mutateAsync({ id, body: { monthly_budget_micros, warn_at_percent: Number(warnAt) } })
        }}
      />
    )
  return (
    <FormDialog
      title={t('edit')}
      action={t('save')}
      fields={[
        { name: 'name', label: t('name'), value: name },
        {
          name: 'billing',
          label: t('billing'),
          value: billing,
          options: [
            ['prepaid', states('prepaid')],
            ['postpaid', states('postpaid')],
          ],
        },
        {
          name: 'perMinute',
          label: t('perMinute'),
          type: 'number',
          isOptional: true,
          value: requests_per_minute === null ? '' : String(requests_per_minute),
        },
        {
          name: 'keepReplies',
          label: t('keepReplies'),
          value: keep_replies ?? 'none',
          options: KEEP_REPLIES.map((which) => [which, t(`keepReplies_${which}`)]),
        },
      ]}
      onClose={onClose}
      onSubmit={(values) =>
        update.mutateAsync({
          id,
          body: {
            name: values.name ?? name,
            billing: values.billing === 'postpaid' ? 'postpaid' : 'prepaid',
            requests_per_minute: numberOrNull(values.perMinute),
            keep_replies:
              values.keepReplies === 'default' || values.keepReplies === 'asked' ? values.keepReplies : null,
          },
        })
      }
    />
  )
}
