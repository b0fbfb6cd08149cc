import type { SandboxClock } from '../../clock.ts'
import type { SandboxReply } from '../../part.ts'
import type { Session } from '../session.ts'
import { OFFERED_ENDINGS, PERSONS } from './endings.ts'
import { LANGUAGE_NAMES, LANGUAGE_TAGS, LANGUAGES, type Language } from './languages.ts'
import { pageReply } from './page-reply.ts'
import { PAGE_TEXTS, type PageTexts } from './words.ts'

const SCAN_MS = 60_000
const STEP_MS_MIN = 250
const STEP_MS_MAX = 2_000

/** The page that plays the scan. A token has only letters, digits, `-` and `_`, so HTML needs no escape for it. */
export function scanPage(
  { token }: Session,
  { language, clock }: { language: Language; clock: SandboxClock },
): SandboxReply {
  const words = PAGE_TEXTS[language]
  const stepMs = clock.realMs(SCAN_MS) / words.steps.length
  return pageReply({
    status: 200,
    language,
    title: `${words.title} · ${words.sandbox}`,
    header: languageLinks(token, { language, words }),
    main: [
      `<h1>${words.title}</h1>`,
      orderForm(token, { language, words }),
      scanSection(words, Math.round(Math.min(Math.max(stepMs, STEP_MS_MIN), STEP_MS_MAX))),
    ].join('\n'),
    hasScript: true,
  })
}

function languageLinks(token: string, { language, words }: { language: Language; words: PageTexts }): string {
  const items = LANGUAGES.map((other) => {
    const current = other === language ? ' aria-current="true"' : ''
    const tag = LANGUAGE_TAGS[other]
    return `<li><a href="?token=${token}&amp;lng=${other}" lang="${tag}" hreflang="${tag}"${current}>${LANGUAGE_NAMES[other]}</a></li>`
  })
  return `<nav aria-label="${words.languages}"><ul>${items.join('')}</ul></nav>`
}

function orderForm(token: string, { language, words }: { language: Language; words: PageTexts }): string {
  const persons = PERSONS.map((person) =>
    choice({
      name: 'person',
      value: String(person),
      label: `${words.person} ${person}`,
      isFirst: person === 1,
    }),
  )
  const endings = OFFERED_ENDINGS.map((ending) =>
    choice({ name: 'ending', value: ending, label: words.endings[ending], isFirst: ending === 'success' }),
  )
  return `<form method="post" action="verify">
<p>${words.intro}</p>
<p class="note">${words.pretence}</p>
<ul class="tips">${words.tips.map((tip) => `<li>${tip}</li>`).join('')}</ul>
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="lng" value="${language}">
<fieldset><legend><span class="badge">${words.sandbox}</span> ${words.personQuestion}</legend><div class="row">${persons.join('')}</div></fieldset>
<fieldset><legend><span class="badge">${words.sandbox}</span> ${words.endingQuestion}</legend>${endings.join('')}</fieldset>
<button type="submit">${words.start}</button>
<p class="small">${words.once}</p>
</form>`
}

function choice({
  name,
  value,
  label,
  isFirst,
}: {
  name: string
  value: string
  label: string
  isFirst: boolean
}): string {
  const checked = isFirst ? ' checked' : ''
  return `<label class="choice"><input type="radio" name="${name}" id="${name}-${value}" value="${value}"${checked}>${label}</label>`
}

function scanSection(words: PageTexts, stepMs: number): string {
  const steps = words.steps.map((step) => `<li>${step}</li>`)
  const results = OFFERED_ENDINGS.map((ending) => `<li data-ending="${ending}">${words.results[ending]}</li>`)
  return `<section id="scan" tabindex="-1" aria-label="${words.title}" data-step-ms="${stepMs}" hidden>
<div id="progress" role="progressbar" aria-label="${words.progress}" aria-valuemin="0" aria-valuemax="100" aria-valuenow="0">
<svg class="ring" viewBox="0 0 120 120" aria-hidden="true" focusable="false">
<circle class="track" cx="60" cy="60" r="54"/>
<circle class="bar" id="bar" cx="60" cy="60" r="54" pathLength="100"/>
<path class="face" d="M60 30c-14 0-22 10-22 25s9 33 22 33 22-18 22-33-8-25-22-25zM50 55v4M70 55v4M51 72c5 5 13 5 18 0"/>
<path class="mark yes" d="M40 62l14 14 27-30"/>
<path class="mark no" d="M44 44l32 32M76 44l-32 32"/>
</svg>
</div>
<p id="status" role="status" aria-live="polite"></p>
<button type="button" class="quiet" id="cancel">${words.cancel}</button>
<ol id="steps" hidden>${steps.join('')}</ol>
<ul id="results" hidden>${results.join('')}</ul>
</section>`
}
