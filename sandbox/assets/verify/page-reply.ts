import { hash } from 'node:crypto'
import type { SandboxReply } from '../../part.ts'
import { LANGUAGE_TAGS, type Language } from './languages.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { PAGE_STYLE } from './page-style.ts'
import { WORDS } from './words.ts'

interface Page {
  status: number
  language: Language
  title: string
  /** Stands beside the sandbox mark. */
  header: string
  main: string
  hasScript: boolean
}

/** One page that loads nothing from other servers. Its link is a credential, so it is neither cached nor sent on as a referrer. */
export function pageReply({ status, language, title, header, main, hasScript }: Page): SandboxReply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: `<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><span class="badge">${WORDS[language].sandbox}</span>${header}</header>
<main>${main}</main>
${hasScript ? `<script>${PAGE_SCRIPT}</script>` : ''}
</body>
</html>
`,
  }
}

/** No `form-action`: browsers hold it against every redirect that follows, and those lead wherever the client said. */
const POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src '${digestOf(PAGE_STYLE)}'`,
  `script-src '${digestOf(PAGE_SCRIPT)}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function digestOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`
}
