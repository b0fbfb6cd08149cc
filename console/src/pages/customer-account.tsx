import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Reply } from '../api/call.ts'
import { useRead } from '../api/hooks.ts'
import { daysLeft, isLow, paceRange } from '../format/balance.ts'
import { count, percent, usd } from '../format/format.ts'
import { customerState } from '../parts/customer-state.ts'
import { Chip, Copy, Count, Time, Usd } from '../parts/values.tsx'
import { customerWords } from '../words/customers.ts'
import { frameWords } from '../words/frame.ts'
import { useLanguage, useWords } from '../words/words.ts'

type Organization = Reply<'GET /organizations/{id}'>

/** Key figures of the account: available money, how long it lasts, and the month against its budget. */
export function AccountFigures({ organization }: { organization: Organization }) {
  const t = useWords(customerWords)
  const locale = useLanguage()
  const { id, billing, balance_micros, held_micros } = organization
  const range = useMemo(() => paceRange(Date.now()), [])
  const pace = useRead('GET /usage', { query: { by: 'day', ...range, organization_id: id, limit: 1_000 } })
  const budget = useRead('GET /organizations/{id}/budget', { id }).data
  const spent = (pace.data?.data ?? []).reduce((sum, row) => sum + row.cost_micros, 0)
  const days = daysLeft(organization, spent)
  const used = (budget?.used_micros ?? 0) + (budget?.held_micros ?? 0)
  const limit = budget?.monthly_budget_micros ?? null
  const isWarned = limit !== null && used >= (limit * (budget?.warn_at_percent ?? 100)) / 100
  return (
    <dl className="figures wide">
      <div className="card figure">
        <dt>{t('available')}</dt>
        <dd className={isLow(organization, spent) ? 'bad' : undefined}>
          {usd(balance_micros - held_micros, locale)}
          <small>
            {t('balanceHeld', { balance: usd(balance_micros, locale), held: usd(held_micros, locale) })}
          </small>
        </dd>
      </div>
      <div className="card figure">
        <dt>{t('daysLeft')}</dt>
        <dd className={days !== undefined && days < 7 ? 'bad' : undefined}>
          {days === undefined ? '–' : count(Math.floor(days), locale)}
          <small>
            {billing === 'postpaid'
              ? t('paysLater')
              : days === undefined
                ? t('noPace')
                : t('pace', { spend: usd(spent, locale) })}
          </small>
        </dd>
      </div>
      <div className="card figure">
        <dt>{t('monthToDate', { month: budget?.month ?? '' })}</dt>
        <dd>
          {usd(used, locale)}
          {limit === null ? (
            <small>{t('noBudget')}</small>
          ) : (
            <>
              <progress
                max={limit}
                value={Math.min(used, limit)}
                className={isWarned ? 'warned' : undefined}
                aria-label={t('budget')}
              />
              <small className={isWarned ? 'bad' : undefined}>
                {t('ofBudget', { share: percent(used, limit, locale), budget: usd(limit, locale) })}
              </small>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

export function AccountFacts({ organization }: { organization: Organization }) {
  const t = useWords(customerWords)
  const frame = useWords(frameWords)
  const { id, billing, requests_per_minute } = organization
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
        <dt>{t('perMinute')}</dt>
        <dd>{requests_per_minute === null ? t('noLimit') : <Count value={requests_per_minute} />}</dd>
        <dt>{t('keepReplies')}</dt>
        <dd>{t(`keepReplies_${organization.keep_replies ?? 'none'}`)}</dd>
        <dt>{t('keepMedia')}</dt>
        <dd>{t(`keepMedia_${organization.keep_media ?? 'on'}`)}</dd>
        <dt>{t('recordBodies')}</dt>
        <dd>{t(`recordBodies_${organization.record_bodies}`)}</dd>
        <dt>{t('created')}</dt>
        <dd>
          <Time iso={organization.created_at} />
        </dd>
      </dl>
      <p className="links">
        <Link to="/requests" search={{ organization_id: id } as never}>
          {t('requests')}
        </Link>
        <Link to="/video" search={{ organization_id: id } as never}>
          {t('seeTasks')}
        </Link>
        <Link to="/money" search={{ organization_id: id } as never}>
          {t('seeLedger')}
        </Link>
        <Link to="/customers/$id" params={{ id } as never} search={{ view: 'statement' } as never}>
          {t('statement')}
        </Link>
      </p>
    </section>
  )
}
