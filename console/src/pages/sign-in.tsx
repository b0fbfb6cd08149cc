import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { call, Refusal, type Reply } from '../api/call.ts'
import icon from '../icon.svg'
import { Field } from '../parts/fields.tsx'
import { LanguageSelect } from '../parts/frame-menus.tsx'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'

type Words = keyof typeof frameWords

/** Texts by the reason in the address of the sign-in page. */
const REASONS: Record<string, Words> = {
  link_used: 'linkUsed',
  openid_failed: 'openIdFailed',
  openid_no_role: 'openIdNoRole',
}

interface Props {
  reason: Words | undefined
  onSignedIn(session: Reply<'POST /session'>): void
}

export function SignIn({ reason, onSignedIn }: Props) {
  const t = useWords(frameWords)
  const [key, setKey] = useState('')
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  const methods = useQuery({ queryKey: ['methods'], queryFn: () => call('GET /session/methods') })
  const told = REASONS[new URLSearchParams(location.search).get('sign_in') ?? ''] ?? reason

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    setBusy(true)
    setRefusal(undefined)
    try {
      onSignedIn(await call('POST /session', { body: { key } }))
      history.replaceState(null, '', location.pathname)
    } catch (error) {
      setRefusal(error instanceof Refusal ? error : new Refusal(0, ''))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className="sign-in">
      <div className="brand">
        <img src={icon} alt="" width="24" height="24" />
        Sluice
      </div>
      <form className="card" onSubmit={submit}>
        <h1>{t('signInTo')}</h1>
        {refusal !== undefined ? (
          <p className="notice bad" role="alert">
            {t(textFor(refusal), { seconds: refusal.retryAfterSeconds })}
          </p>
        ) : (
          told !== undefined && (
            <p className="notice warn" role="status">
              {t(told)}
            </p>
          )
        )}
        <Field label={t('key')} hint={t('keyHint')}>
          <input
            name="key"
            type="password"
            autoComplete="current-password"
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </Field>
        <button type="submit" className="button primary" disabled={isBusy || key === ''}>
          {t('signIn')}
        </button>
        {methods.data?.openid === true && (
          <a className="button" href="/console/oidc">
            {t('withOpenId')}
          </a>
        )}
      </form>
      <div className="foot">
        <a href="/docs">{t('docs')}</a>
        <LanguageSelect />
      </div>
    </main>
  )
}

function textFor({ status }: Refusal): Words {
  if (status === 429) return 'tooMany'
  if (status === 404) return 'disabled'
  return status === 0 || status >= 500 ? 'unreachable' : 'wrongKey'
}
