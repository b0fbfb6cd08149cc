import { useState } from 'react'
import { withConsoleKey } from '../api/console-key.ts'
import { Dialog, STAY } from '../parts/dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { Copy } from '../parts/values.tsx'
import { peopleWords } from '../words/people.ts'
import { LANGUAGE_NAMES, LANGUAGES, useLanguage, useWords } from '../words/words.ts'

/** Starts a verification as a client would; its link is for the person's phone. */
export function StartCheck({ onClose }: { onClose(): void }) {
  const t = useWords(peopleWords)
  const language = useLanguage()
  const [link, setLink] = useState<string>()
  if (link !== undefined)
    return (
      <Dialog title={t('scan')} onClose={onClose}>
        <QrCode text={link} label={t('scan')} />
        <Copy text={link} />
        <div className="actions">
          <a className="button" href={link} target="_blank" rel="noreferrer">
            {t('openHere')}
          </a>
        </div>
      </Dialog>
    )
  return (
    <FormDialog
      title={t('start')}
      action={t('start')}
      about={t('startAbout')}
      fields={[
        { name: 'organization', label: t('customer'), type: 'customer' },
        { name: 'returnUrl', label: t('returnUrl'), value: 'https://example.com/verified' },
        {
          name: 'lang',
          label: t('language'),
          value: language,
          options: LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const),
        },
      ]}
      onClose={onClose}
      onSubmit={async ({ organization = '', returnUrl, lang }) => {
        setLink(await startSession(organization, { callback_url: returnUrl, lang }))
        return STAY
      }}
    />
  )
}

async function startSession(organizationId: string, body: object): Promise<string> {
  const reply = await withConsoleKey(organizationId, (key) =>
    fetch('/v1/video/assets/sessions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
    }),
  )
  const answer: { h5_link?: string; error?: { message?: string } } = await reply.json()
  if (answer.h5_link === undefined) throw new Error(answer.error?.message ?? String(reply.status))
  return answer.h5_link
}
