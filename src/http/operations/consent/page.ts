import type { ConsentView } from '../../../app/verification/revoke-consent.ts'
import type { Language } from '../../../domain/assets/verification-request.ts'
import { type Html, html } from '../../pages/html.ts'
import { plainPage, signOf } from '../../pages/plain-page.ts'
import { PAGE_HEADERS } from '../verification-return/page.ts'
import { WORDS } from '../verification-return/words.ts'
import { CONSENT_WORDS, type ConsentProblem } from './words.ts'

/** The form is sent to the page itself and to no other address. */
export const CONSENT_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': PAGE_HEADERS['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
}

export function renderConsent(view: ConsentView, language: Language): string {
  switch (view.kind) {
    case 'unknown':
    case 'gone':
      return renderProblem(view.kind, language)
    case 'given':
      return renderGiven(view, language)
    case 'revoked':
      return renderRevoked(view, language)
  }
}

export function renderProblem(problem: ConsentProblem, language: Language): string {
  const { again, problems } = CONSENT_WORDS[language]
  const { title, text } = problems[problem]
  // An address with an empty query is the page itself, without the data of the form.
  const link = problem === 'unavailable' && html`<a class="button" href="?">${again}</a>`
  return page({
    language,
    title,
    main: html`${signOf(SIGNS[problem])}<h1>${title}</h1><p>${text}</p>${link}`,
  })
}

const SIGNS: Readonly<Record<ConsentProblem, Parameters<typeof signOf>[0]>> = {
  unknown: 'cross',
  gone: 'tick',
  unavailable: 'clock',
}

function renderGiven(
  { organizationName, verifiedAtMs, confirmation }: Extract<ConsentView, { kind: 'given' }>,
  language: Language,
): string {
  const { title, text, heading, effects, final, button } = CONSENT_WORDS[language].given
  const main = html`${signOf('face')}<h1>${title}</h1><p>${text(organizationName, dayOf(verifiedAtMs, language))}</p>
<p>${heading}</p><ul>${effects.map((effect) => html`<li>${effect}</li>`)}</ul><p class="soft">${final}</p>
<form method="post" action="?confirm=${confirmation}"><button class="button">${button}</button></form>`
  return page({ language, title, main })
}

function renderRevoked(
  { organizationName, revokedAtMs, isNew }: Extract<ConsentView, { kind: 'revoked' }>,
  language: Language,
): string {
  const { revoked, revokedBefore } = CONSENT_WORDS[language]
  const { title } = isNew ? revoked : revokedBefore
  const text = isNew
    ? revoked.text(organizationName)
    : revokedBefore.text(organizationName, dayOf(revokedAtMs, language))
  return page({ language, title, main: html`${signOf('tick')}<h1>${title}</h1><p role="status">${text}</p>` })
}

function page({ language, title, main }: { language: Language; title: string; main: Html }): string {
  return plainPage({ title, language: WORDS[language].tag, look: 'phone', main })
}

function dayOf(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(WORDS[language].tag, { dateStyle: 'long', timeZone: 'UTC' }).format(ms)
}
