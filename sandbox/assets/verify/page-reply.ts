import { hash } from 'node:crypto'
import type { SandboxReply } from '../../part.ts'
import { LANGUAGE_TAGS, type Language } from './languages.ts'
import { PAGE_TEXTS } from './words.ts'

interface Page {
  status: number
  language: Language
  title: string
  /** Text beside the sandbox mark. */
  header: string
  main: string
  hasScript: boolean
}

/** One page that loads nothing from other servers. Its link is a credential: no cache of the page, no referrer. */
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
<header><span class="badge">${PAGE_TEXTS[language].sandbox}</span>${header}</header>
<main>${main}</main>
${hasScript ? `<script>${PAGE_SCRIPT}</script>` : ''}
</body>
</html>
`,
  }
}

/**
 * Plays the scan when the form is sent, then sends it. Without this script the form is sent immediately, so the page
 * works either way. The texts are in the page itself.
 */
const PAGE_SCRIPT = `
const form = document.querySelector('form')
const scan = document.getElementById('scan')
const status = document.getElementById('status')
const progress = document.getElementById('progress')
const bar = document.getElementById('bar')
const cancel = document.getElementById('cancel')
const steps = [...document.querySelectorAll('#steps li')].map((item) => item.textContent)
const stepMs = Number(scan.dataset.stepMs)
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
let isEnding = false

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const ending = new FormData(form).get('ending')
  form.hidden = true
  scan.hidden = false
  scan.focus()
  play(ending)
})

cancel.addEventListener('click', () => {
  document.getElementById('ending-cancelled').checked = true
  finish('cancelled')
})

async function play(ending) {
  await wait(50)
  bar.style.transitionDuration = stepMs + 'ms'
  const stepsShown = ending === 'cancelled' ? 2 : steps.length
  for (let at = 0; at < stepsShown && !isEnding; at += 1) {
    status.textContent = steps[at]
    show(((at + 1) * 100) / steps.length)
    await wait(stepMs)
  }
  finish(ending)
}

function show(percent) {
  bar.style.strokeDashoffset = String(100 - percent)
  progress.setAttribute('aria-valuenow', String(percent))
}

async function finish(ending) {
  if (isEnding) return
  isEnding = true
  cancel.hidden = true
  document.body.dataset.result = ending === 'success' ? 'good' : 'bad'
  status.textContent = document.querySelector('#results [data-ending="' + ending + '"]').textContent
  await wait(stepMs)
  form.submit()
}

// A page that comes back from the browser's cache checks whether its link still works.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
`

/** One screen of a phone, light or dark, from 320 pixels on. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6fa; --card: #ffffff; --text: #1b2330; --soft: #4d5a6d; --line: #c6cedb;
  --accent: #1f5fd0; --on-accent: #ffffff; --good: #17703c; --bad: #b3261e;
  --note: #fff4d6; --on-note: #5b4300; --track: #dde3ed;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151d; --card: #1a212c; --text: #eef2f8; --soft: #b4bfcf; --line: #465266;
    --accent: #8ab4ff; --on-accent: #0b1c3a; --good: #6fd89a; --bad: #ff9d94;
    --note: #3b3010; --on-note: #ffe7a8; --track: #303a4a;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
  background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif;
}
header, main { width: 100%; max-width: 26rem; padding: 0 1rem; }
header { display: flex; align-items: center; justify-content: space-between; gap: .75rem; padding-top: .75rem; }
nav ul { display: flex; gap: .25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .75rem .3rem; font-size: .875rem; color: var(--accent); }
nav a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.badge {
  padding: .15rem .6rem; border-radius: 1rem; background: var(--note); color: var(--on-note);
  font-size: .875rem; font-weight: 600; white-space: nowrap;
}
main { padding-top: .75rem; padding-bottom: 2rem; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.25; }
p { margin: 0 0 .75rem; }
.note { padding: .7rem .9rem; border-radius: .75rem; background: var(--note); color: var(--on-note); }
.tips { margin: 0 0 1rem; padding-left: 1.25rem; color: var(--soft); }
fieldset {
  margin: 0 0 1rem; padding: .25rem .7rem .6rem; border: 1px dashed var(--line); border-radius: .75rem;
  background: var(--card);
}
legend { padding: 0 .4rem; font-weight: 600; }
.choice { display: flex; align-items: center; gap: .4rem; min-height: 2.75rem; cursor: pointer; }
.row { display: flex; flex-wrap: wrap; column-gap: .5rem; }
input[type=radio] { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); flex: none; }
button {
  width: 100%; min-height: 3.25rem; border-radius: 1.7rem; font: inherit; font-weight: 600; cursor: pointer;
  border: 2px solid var(--accent); background: var(--accent); color: var(--on-accent);
}
button.quiet { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.small { margin-top: .75rem; text-align: center; font-size: .875rem; color: var(--soft); }
#scan { text-align: center; }
.ring { display: block; width: min(72vw, 17rem); margin: 1rem auto; }
.ring circle, .ring path { fill: none; stroke-width: 6; stroke-linecap: round; }
.ring .track { stroke: var(--track); }
.ring .bar {
  stroke: var(--accent); stroke-dasharray: 100 100; stroke-dashoffset: 100;
  transform: rotate(-90deg); transform-origin: 50% 50%; transition: stroke-dashoffset linear;
}
.ring .face { stroke: var(--soft); stroke-width: 3; }
.ring .mark { stroke: var(--card); stroke-width: 7; visibility: hidden; }
[data-result] .ring .face { visibility: hidden; }
[data-result=good] .ring .bar { stroke: var(--good); }
[data-result=bad] .ring .bar { stroke: var(--bad); }
[data-result=good] .ring .yes { visibility: visible; stroke: var(--good); }
[data-result=bad] .ring .no { visibility: visible; stroke: var(--bad); }
#status { min-height: 3.5rem; margin: 0 0 1rem; font-size: 1.25rem; font-weight: 600; }
@media (prefers-reduced-motion: reduce) { .ring .bar { transition: none; } }
`

/** No `form-action`: browsers apply it to every redirect that follows, and those lead to the client's address. */
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
