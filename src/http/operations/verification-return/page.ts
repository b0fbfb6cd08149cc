import { hash } from 'node:crypto'
import type { Language } from '../../../domain/assets/verification-request.ts'
import { Html, html } from '../../pages/html.ts'
import { type Obstacle, WORDS } from './words.ts'

const STYLES = `
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 26rem; padding: 2rem 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; }
`

/** A page that loads nothing from other servers and holds no personal data. */
export function renderObstacle(obstacle: Obstacle, language: Language): string {
  const { tag, again, obstacles } = WORDS[language]
  const { title, text } = obstacles[obstacle]
  // An address without anything in it is that of the page itself: not every browser in an app can reload.
  const link = obstacle === 'unavailable' && html`<p><a href="">${again}</a></p>`
  return html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLES)}</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p>${link}</main></body>
</html>
`.text
}

/** The address of the page is a secret of the person: no cache may keep it, and no referrer may carry it. */
export const RETURN_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

export const PAGE_HEADERS = {
  ...RETURN_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    'img-src data:',
    `style-src 'sha256-${hash('sha256', STYLES, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Language',
}
