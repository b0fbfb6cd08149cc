import { useState } from 'react'
import { Refusal } from '../api/call.ts'
import { useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { CodeCard } from '../parts/exchange.tsx'
import { Failure, Show } from '../parts/states.tsx'
import { Time } from '../parts/values.tsx'
import { requestWords } from '../words/requests.ts'
import { useWords } from '../words/words.ts'
import '../styles/playground.css'

/** The recorded bodies of a request. They are read by a click only, because every look is written into the audit log. */
export function RequestBody({ id }: { id: string }) {
  const t = useWords(requestWords)
  const mayLook = useMay('operator')
  const [isOpen, setOpen] = useState(false)
  if (!mayLook) return null
  if (isOpen) return <Bodies id={id} />
  return (
    <p className="links">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {t('showBodies')}
      </button>
      <span className="muted">{t('lookIsNoted')}</span>
    </p>
  )
}

function Bodies({ id }: { id: string }) {
  const t = useWords(requestWords)
  const body = useRead('GET /requests/{id}/body', { id })
  const looks = useRead(
    'GET /audit',
    { query: { subject: id, action: 'request.body', limit: 100 } },
    { enabled: body.data !== undefined },
  )
  if (body.error instanceof Refusal && body.error.status === 404)
    return <p className="notice">{t('noBodies')}</p>
  if (body.error !== null) return <Failure error={body.error} />
  return (
    <Show of={body}>
      {({ request, response, truncated }) => (
        <>
          {truncated && <p className="notice warn">{t('bodiesCut')}</p>}
          <div className="sides">
            <CodeCard title={t('request')} text={indented(request)} />
            <CodeCard title={t('reply')} text={response === null ? t('noReply') : indented(response)} />
          </div>
          <section className="card pad">
            <h3>{t('whoLooked')}</h3>
            <ul>
              {looks.data?.data.map(({ id: look, actor, at }) => (
                <li key={look}>
                  {actor} <Time iso={at} />
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </Show>
  )
}

/** A stream, or a body that was cut, is shown as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
