import { hash } from 'node:crypto'
import type { Language } from '../../../domain/assets/verification-request.ts'
import { openOperation } from '../../operation.ts'
import { Html, html } from '../../pages/html.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from '../../pages/plain-page.ts'
import { chooseLanguage } from '../verification-return/present-problem.ts'
import { WORDS } from '../verification-return/words.ts'
import { VERIFY_WORDS } from './words.ts'

/** Runs in the browser: the hash is computed there, and nothing else of the file is sent. */
const SCRIPT = `
const result = document.getElementById('result')
const words = JSON.parse(result.dataset.words)
const add = (parent, name, text) => parent.appendChild(Object.assign(document.createElement(name), { textContent: text }))
const show = (title, text) => {
  result.replaceChildren()
  if (title) add(result, 'h2', title)
  add(result, 'p', text)
}
let latest
const check = async (file) => {
  const current = (latest = {})
  show('', words.reading)
  const digest = await file.arrayBuffer().then((bytes) => crypto.subtle.digest('SHA-256', bytes)).catch(() => undefined)
  if (current !== latest) return
  if (digest === undefined) return show('', words.unreadable)
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const reply = await fetch('v1/provenance/' + sha256).catch(() => undefined)
  const found = reply?.ok ? await reply.json().catch(() => undefined) : undefined
  if (current !== latest) return
  if (found === undefined) return show('', reply?.status === 429 ? words.busy : words.later)
  if (found.made) show(words.made, words.madeText)
  else show(words.unknown, words.unknownText)
  const list = add(result, 'dl', '')
  const row = (name, value) => void (add(list, 'dt', name), add(list, 'dd', value))
  if (found.created) row(words.created, new Date(found.created * 1000).toLocaleString(document.documentElement.lang))
  if (found.model) row(words.model, found.model)
  if (found.marks) {
    const { c2pa, aigc } = found.marks
    row(words.c2pa, words['c2pa-' + c2pa.state] + (c2pa.issuer ? ' (' + c2pa.issuer + ')' : ''))
    row(words.aigc, words[aigc ? 'aigc-yes' : 'aigc-no'])
  }
  if (found.consent) row(words.consent, words['consent-' + found.consent])
  row('SHA-256', sha256)
}
document.getElementById('file').addEventListener('change', ({ target }) => target.files[0] && check(target.files[0]))
addEventListener('dragover', (event) => event.preventDefault())
addEventListener('drop', (event) => {
  event.preventDefault()
  const [file] = event.dataTransfer.files
  if (file) check(file)
})
`

const VERIFY_HEADERS = {
  ...PLAIN_PAGE_HEADERS,
  'content-security-policy': `${PLAIN_PAGE_HEADERS['content-security-policy']}; script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'; connect-src 'self'`,
  'cache-control': 'no-cache',
  vary: 'Accept-Language',
}

export const showVerify = openOperation('showVerify', 'GET /verify', {
  undocumented: true,
  isOffered: ({ app }) => app.findProvenance !== undefined,
  summary: 'Page that tells a visitor whether a file was made here',
  replies: { 200: { description: 'A page.', contentType: 'text/html' } },
  handle: () => (request, reply) =>
    void reply
      .code(200)
      .headers(VERIFY_HEADERS)
      .send(renderVerify(chooseLanguage(request.headers['accept-language']))),
})

function renderVerify(language: Language): string {
  const { title, intro, choose, privacy, noScript, results } = VERIFY_WORDS[language]
  const main = html`<h1>${title}</h1><p>${intro}</p>
<label class="drop">${choose}<input type="file" id="file"></label>
<noscript><p>${noScript}</p></noscript>
<div id="result" role="status" data-words="${JSON.stringify(results)}"></div>
<p class="soft">${privacy}</p>
<script type="module">${new Html(SCRIPT)}</script>`
  return plainPage({ title, language: WORDS[language].tag, main })
}
