import type { SandboxReply, SandboxRequest, SandboxRoute } from '../../part.ts'
import type { AssetState } from '../asset-state.ts'
import type { Session } from '../session.ts'
import { RESULTS, readEnding, readPerson, type ScanEnding, TOKEN_FIELD } from './endings.ts'
import { type ClosedLink, findSession } from './find-session.ts'
import { type Language, readLanguage } from './languages.ts'
import { pageReply } from './page-reply.ts'
import { scanPage } from './scan-page.ts'
import { PAGE_TEXTS } from './words.ts'

/** The phone page, and the target of its form. `ending` in the link skips the page, for tests and for curl. */
export function verifyRoutes(state: AssetState): SandboxRoute[] {
  const path = '/verify'
  return [
    {
      operation: 'verify-page',
      method: 'GET',
      path,
      handle: (request) => answer(state, request, request.query),
    },
    {
      operation: 'verify-end',
      method: 'POST',
      path,
      handle: (request) => answer(state, request, new URLSearchParams(request.body.toString())),
    },
  ]
}

function answer(state: AssetState, { clock }: SandboxRequest, values: URLSearchParams): SandboxReply {
  const language = readLanguage(values.get('lng'))
  const found = findSession(state, values.get('token') ?? '', clock)
  if (found.kind !== 'open') return closedPage(found.kind, language)
  const ending = readEnding(values.get('ending'))
  if (ending === undefined) return scanPage(found.session, { language, clock })
  state.ended.set(found.session.token, {
    ending,
    person: readPerson(values.get('person')),
    isExchanged: false,
  })
  return ending === 'expired' ? closedPage('expired', language) : sendBack(found.session, ending)
}

/** Redirects to the callback address, and keeps its query. */
function sendBack({ callbackUrl, token }: Session, ending: ScanEnding): SandboxReply {
  const address = new URL(callbackUrl)
  const results = new URLSearchParams({ [TOKEN_FIELD]: token, ...RESULTS[ending].parameters })
  address.search = address.search === '' ? `${results}` : `${address.search}&${results}`
  return {
    status: 302,
    headers: { location: address.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  }
}

/** Tells a person why a link does not work. */
function closedPage(kind: ClosedLink, language: Language): SandboxReply {
  const { title, text } = PAGE_TEXTS[language].closed[kind]
  return pageReply({
    status: kind === 'unknown' ? 404 : 410,
    language,
    title,
    header: '',
    main: `<h1>${title}</h1><p>${text}</p>`,
    hasScript: false,
  })
}
