import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../api/call.ts'
import { useChange, useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { shortId } from '../format/format.ts'
import { customerState } from '../parts/customer-state.ts'
import { PageHead } from '../parts/frame.tsx'
import { useFilters, useId } from '../parts/navigate.ts'
import { Failure, Show } from '../parts/states.tsx'
import { TimeRange } from '../parts/time-range.tsx'
import { customerWords } from '../words/customers.ts'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import { AccountFacts, AccountFigures } from './customer-account.tsx'
import { CustomerActions, type Open } from './customer-actions.tsx'
import { ErasedNotice } from './customer-erase.tsx'
import { CustomerKeys } from './customer-keys.tsx'
import { CustomerStatement } from './customer-statement.tsx'
import { CustomerUsage } from './customer-usage.tsx'
import { CustomerUsers } from './customer-users.tsx'

type Organization = Reply<'GET /organizations/{id}'>

export function Page() {
  const id = useId()
  const [{ view }] = useFilters()
  const organization = useRead('GET /organizations/{id}', { id })
  return (
    <Show of={organization}>
      {(found) =>
        view === 'statement' ? (
          <CustomerStatement organization={found} />
        ) : (
          <Customer key={id} organization={found} />
        )
      }
    </Show>
  )
}

function Customer({ organization }: { organization: Organization }) {
  const t = useWords(customerWords)
  const frame = useWords(frameWords)
  const isErased = customerState(organization) === 'erased'
  const mayChange = useMay('operator') && !isErased
  const mayErase = useMay('owner') && !isErased
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
            {mayErase && action('erase', t('erase'), 'button danger')}
          </>
        )}
      </PageHead>
      {enable.error !== null && <Failure error={enable.error} />}
      {isErased && <ErasedNotice id={id} />}
      <AccountFigures organization={organization} />
      <div className="grid">
        <AccountFacts organization={organization} />
        <CustomerUsage id={id} />
      </div>
      <div className="filters">
        <TimeRange />
      </div>
      <CustomerUsers organizationId={id} mayChange={mayChange} />
      <CustomerKeys organizationId={id} mayChange={mayChange} />
      {open !== undefined && (
        <CustomerActions open={open} organization={organization} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}
