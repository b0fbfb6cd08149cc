import { hash } from 'node:crypto'
import { Html, html } from './html.ts'

/** Buttons, file inputs and lists of links are at least 44 px high, for thumbs. */
const STYLES = `
:root {
  color-scheme: light dark;
  --page: #f5f7f9; --card: #fff; --ink: #1d2430; --soft: #5a6675; --line: #dfe4ea; --link: #0b5cad; --on-link: #fff;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1116; --card: #161c24; --ink: #e3e8ee; --soft: #9aa7b5; --line: #2b333d; --link: #7ab8ff; --on-link: #0d1116; }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 1.25rem; display: grid; place-items: center;
  background: var(--page); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Noto Sans SC", sans-serif;
}
main {
  width: 100%; max-width: 34rem; padding: clamp(1.25rem, 5vw, 2.25rem);
  background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
}
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .6rem; text-wrap: balance; }
p { margin: 0 0 .9rem; }
p:last-child { margin-bottom: 0; }
.soft { color: var(--soft); }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, button:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: .25rem; }
.links { list-style: none; margin: 1.25rem 0 0; padding: 0; border-top: 1px solid var(--line); }
.links li { border-bottom: 1px solid var(--line); }
.links li:last-child { border-bottom: 0; }
.links a { display: block; min-height: 44px; padding: .7rem 0; color: inherit; text-decoration: none; }
.links b { color: var(--link); font-weight: 600; }
.links a:hover b { text-decoration: underline; }
.links span { display: block; color: var(--soft); font-size: .95rem; line-height: 1.45; }
.button {
  display: flex; align-items: center; justify-content: center; min-height: 48px; padding: .5rem 1.25rem; margin-top: 1.25rem;
  border-radius: .75rem; background: var(--link); color: var(--on-link); font-weight: 600; text-decoration: none;
}
button.button { width: 100%; border: 0; font: inherit; font-weight: 600; cursor: pointer; }
.sign { display: block; width: 72px; height: 72px; margin: 0 auto 1rem; }
.sign circle { fill: none; stroke: var(--line); stroke-width: 6; }
.sign path { fill: none; stroke: var(--link); stroke-width: 6; stroke-linecap: round; stroke-linejoin: round; }
main:not(:last-child) { display: none; }
.wait circle:last-child { stroke: var(--link); stroke-linecap: round; stroke-dasharray: 50 150; transform-origin: center; animation: turn 1.1s linear infinite; }
@keyframes turn { to { transform: rotate(360deg); } }
@media (prefers-reduced-motion: reduce) { .wait circle:last-child { animation-duration: 8s; } }
.phone main { max-width: 26rem; text-align: center; }
.phone ul { margin: 0 0 .9rem; padding-left: 1.2rem; text-align: left; }
.phone li { margin-bottom: .35rem; }
h2 { font-size: 1.2rem; margin: 1.25rem 0 .4rem; }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .3rem 1rem; margin: 0 0 .9rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.drop { display: block; margin: 0 0 .9rem; padding: 1.5rem 1rem; border: 2px dashed var(--soft); border-radius: .75rem; font-weight: 600; cursor: pointer; }
.drop input { display: block; width: 100%; min-height: 44px; margin-top: .5rem; font: inherit; font-weight: 400; color: inherit; }
@media (max-width: 30rem) { dl { display: block; } dd { margin-bottom: .5rem; } }
.drop input::file-selector-button { min-height: 44px; padding: 0 .75rem; margin-right: .5rem; border: 1px solid var(--soft); border-radius: .6rem; background: var(--page); color: inherit; font: inherit; font-weight: 600; }
code, pre { font: .92em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: var(--page); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .85rem; margin: 0 0 .9rem; white-space: pre-wrap; }
`

/** Small page for a person. It loads nothing. A page with a script needs other headers than `PLAIN_PAGE_HEADERS`. */
export function plainPage(input: {
  title: string
  main: Html
  language?: string
  /** `phone`: one narrow column in the middle. */
  look?: 'phone'
  /** The page ends without `</body>`, because a second `main` follows and replaces the first. */
  isOpen?: boolean
}): string {
  const { title, main, language = 'en', look, isOpen = false } = input
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLES)}</style>
</head>
<body class="${look ?? 'wide'}"><main>${main}</main>
${!isOpen && new Html('</body>\n</html>\n')}`.text
}

/** Pictures above the title, in the style of the page for the face scan. */
const SIGNS = {
  cross: 'M36 36l28 28M64 36l-28 28',
  clock: 'M50 30v22l14 9',
  tick: 'M32 52l12 12 24-27',
  face: 'M38 40v5M62 40v5M36 60q14 14 28 0',
}

export function signOf(sign: keyof typeof SIGNS): Html {
  return html`<svg class="sign" viewBox="0 0 100 100" aria-hidden="true"><circle cx="50" cy="50" r="44"/><path d="${SIGNS[sign]}"/></svg>`
}

export const PLAIN_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    'img-src data:',
    `style-src 'sha256-${hash('sha256', STYLES, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
