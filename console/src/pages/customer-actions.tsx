import type { Reply } from '../api/call.ts'
import { useChange, useRead } from '../api/hooks.ts'
import { amountOf, budgetOf, budgetText } from '../parts/amount.ts'
import { Confirm, STAY } from '../parts/dialog.tsx'
import { FormDialog, numberOrNull } from '../parts/form-dialog.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { customerWords } from '../words/customers.ts'
import { stateWords } from '../words/states.ts'
import { useWords } from '../words/words.ts'
import { EraseCustomer } from './customer-erase.tsx'

type Organization = Reply<'GET /organizations/{id}'>
export type Open = 'edit' | 'disable' | 'top-up' | 'budget' | 'secret' | 'erase'

/** Choices for keeping replies; `none`: the gateway's own setting applies. */
const KEEP_REPLIES = ['default', 'asked', 'none'] as const
const KEEP_MEDIA = ['on', 'off'] as const
const RECORD_BODIES = ['off', 'errors', 'all'] as const

interface ActionsProps {
  open: Open
  organization: Organization
  onClose(): void
}

export function CustomerActions({
  open,
  organization: { id, name, billing, requests_per_minute, keep_replies, keep_media, record_bodies },
  onClose,
}: ActionsProps) {
  const t = useWords(customerWords)
  const states = useWords(stateWords)
  const update = useChange('POST /organizations/{id}')
  const disable = useChange('POST /organizations/{id}/disable')
  const credit = useChange('POST /credit')
  const secret = useChange('POST /organizations/{id}/secret')
  if (secret.data !== undefined)
    return <ShownOnce title={t('secretOnce')} secret={secret.data.webhook_secret} onClose={onClose} />
  if (open === 'erase') return <EraseCustomer id={id} name={name} onClose={onClose} />
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
  if (open === 'budget') return <CustomerBudget id={id} onClose={onClose} />
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
        {
          name: 'recordBodies',
          label: t('recordBodies'),
          value: record_bodies,
          options: RECORD_BODIES.map((which) => [which, t(`recordBodies_${which}`)]),
        },
        {
          name: 'keepMedia',
          label: t('keepMedia'),
          value: keep_media ?? 'on',
          options: KEEP_MEDIA.map((which) => [which, t(`keepMedia_${which}`)]),
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
            record_bodies: RECORD_BODIES.find((which) => which === values.recordBodies) ?? record_bodies,
            keep_media: values.keepMedia === 'off' ? 'off' : 'on',
            keep_replies:
              values.keepReplies === 'default' || values.keepReplies === 'asked' ? values.keepReplies : null,
          },
        })
      }
    />
  )
}

function CustomerBudget({ id, onClose }: { id: string; onClose(): void }) {
  const t = useWords(customerWords)
  const set = useChange('POST /organizations/{id}/budget')
  const now = useRead('GET /organizations/{id}/budget', { id }).data
  if (now === undefined) return null
  return (
    <FormDialog
      title={t('budget')}
      action={t('save')}
      fields={[
        {
          ...{ name: 'amount', label: t('amount'), hint: t('budgetHint'), isOptional: true },
          value: budgetText(now.monthly_budget_micros),
        },
        { name: 'warnAt', label: t('warnAt'), type: 'number', value: String(now.warn_at_percent ?? 80) },
      ]}
      onClose={onClose}
      onSubmit={async ({ amount, warnAt }) => {
        const monthly_budget_micros = budgetOf(amount, t('amountWrong'))
        return set.mutateAsync({ id, body: { monthly_budget_micros, warn_at_percent: Number(warnAt) } })
      }}
    />
  )
}
