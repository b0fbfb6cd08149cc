import type { SandboxReply } from '../../part.ts'
import type { ClosedLink } from './find-session.ts'
import type { Language } from './languages.ts'
import { pageReply } from './page-reply.ts'
import { WORDS } from './words.ts'

/** Tells a person why a link leads nowhere. */
export function closedPage(kind: ClosedLink, language: Language): SandboxReply {
  const { title, text } = WORDS[language].closed[kind]
  return pageReply({
    status: kind === 'unknown' ? 404 : 410,
    language,
    title,
    header: '',
    main: `<h1>${title}</h1><p>${text}</p>`,
    hasScript: false,
  })
}
