import { Link } from '@tanstack/react-router'
import type { Item } from '../api/call.ts'
import { Customer } from '../parts/customers.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Copy, Count, Duration, ErrorCode, Id, StatusChip, Time, Usd } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { requestWords } from '../words/requests.ts'
import { useWords } from '../words/words.ts'
import { RequestBody } from './request-body.tsx'
import { ChargeCard } from './trace.tsx'

type Logged = Item<'GET /requests'>

interface Props {
  id: string
  /** undefined: the row is not among those that are loaded. */
  logged: Logged | undefined
  onClose(): void
}

/** Links a request to its charge, its task and the meaning of its error. */
export function RequestDetail({ id, logged, onClose }: Props) {
  const t = useWords(requestWords)
  const isCharged = logged === undefined || logged.cost_micros > 0 || logged.status === 200
  return (
    <Dialog title={t('detail')} className="wide" onClose={onClose}>
      <Copy text={id} />
      {logged !== undefined && <Facts logged={logged} />}
      <p className="links">
        {logged?.code != null && (
          <a href={`/docs/errors#error-${logged.code}`} target="_blank" rel="noreferrer">
            {t('errorPage')}
          </a>
        )}
        {logged?.task_id != null && (
          <Link to="/video/$id" params={{ id: logged.task_id } as never} search={{} as never}>
            {t('attempts')}
          </Link>
        )}
        {isCharged && (
          <Link to="/money" search={{ usage_id: id } as never}>
            {t('ledger')}
          </Link>
        )}
        {logged !== undefined && (
          <Link to="/requests" search={{ key_id: logged.key_id } as never}>
            {t('sameKey')}
          </Link>
        )}
      </p>
      {isCharged && logged?.task_id == null && <ChargeCard id={id} />}
      <RequestBody id={id} />
    </Dialog>
  )
}

function Facts({ logged }: { logged: Logged }) {
  const t = useWords(requestWords)
  const frame = useWords(frameWords)
  return (
    <dl className="facts">
      <dt>{t('at')}</dt>
      <dd>
        <Time iso={logged.at} />
      </dd>
      <dt>{t('statusCode')}</dt>
      <dd>
        <StatusChip status={logged.status} isBroken={logged.code !== null} />{' '}
        {logged.code !== null && <ErrorCode code={logged.code} />}
      </dd>
      <dt>{t('operation')}</dt>
      <dd>{logged.operation}</dd>
      <dt>{frame('organization')}</dt>
      <dd>
        <Customer id={logged.organization_id} />
      </dd>
      <dt>{t('key')}</dt>
      <dd>
        <Copy text={logged.key_id} />
      </dd>
      <dt>{t('model')}</dt>
      <dd>{logged.model ?? '–'}</dd>
      <dt>{t('servedBy')}</dt>
      <dd>
        {logged.served_by ?? '–'} {logged.provider !== null && `(${logged.provider})`}
      </dd>
      {logged.input_tokens !== null && (
        <>
          <dt>{t('tokens')}</dt>
          <dd>
            <Count value={logged.input_tokens} /> + <Count value={logged.output_tokens ?? 0} />
          </dd>
        </>
      )}
      <dt>{t('cost')}</dt>
      <dd>
        <Usd micros={logged.cost_micros} />
      </dd>
      {logged.first_token_ms !== null && (
        <>
          <dt>{t('firstToken')}</dt>
          <dd>
            <Duration ms={logged.first_token_ms} />
          </dd>
        </>
      )}
      {logged.duration_ms !== null && (
        <>
          <dt>{t('duration')}</dt>
          <dd>
            <Duration ms={logged.duration_ms} />
          </dd>
        </>
      )}
      {logged.task_id !== null && (
        <>
          <dt>{t('task')}</dt>
          <dd>
            <Id id={logged.task_id} />
          </dd>
        </>
      )}
    </dl>
  )
}
