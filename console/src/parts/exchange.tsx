import { useState } from 'react'
import { type CodeLanguage, codeFor, LANGUAGES_OF_CODE, type Sent } from '../format/code-for.ts'
import { playgroundWords } from '../words/playground.ts'
import { useWords } from '../words/words.ts'
import { Segments } from './fields.tsx'
import { Copy } from './values.tsx'

/** Request and reply side by side, and a program that sends the same request. */
export function Exchange({ sent, reply }: { sent: Sent; reply: string }) {
  const t = useWords(playgroundWords)
  const [language, setLanguage] = useState<CodeLanguage>('curl')
  const code = codeFor(language, sent)
  return (
    <>
      <div className="sides">
        <CodeCard
          title={t('request')}
          text={`POST ${new URL(sent.url).pathname}\n\n${JSON.stringify(sent.body, null, 2)}`}
        />
        <CodeCard title={t('reply')} text={reply} />
      </div>
      <section className="card">
        <header>
          <h2>{t('code')}</h2>
          <Segments
            label={t('code')}
            value={language}
            options={LANGUAGES_OF_CODE.map((one) => [one, one])}
            onChoose={(one: CodeLanguage) => setLanguage(one)}
          />
          <Copy text={code} shown={t('copy')} />
        </header>
        <Pre text={code} label={t('code')} />
      </section>
    </>
  )
}

export function CodeCard({ title, text }: { title: string; text: string }) {
  const t = useWords(playgroundWords)
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        <Copy text={text} shown={t('copy')} />
      </header>
      <Pre text={text} label={title} />
    </section>
  )
}

function Pre({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
    <section className="code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  )
}

interface FaultsProps {
  words: readonly string[]
  prompt: string
  onChange(prompt: string): void
}

/** Switches for the words that the sandbox vendors obey. */
export function Faults({ words, prompt, onChange }: FaultsProps) {
  const t = useWords(playgroundWords)
  return (
    <fieldset className="field plain-fieldset">
      <legend>{t('faults')}</legend>
      <span className="switches">
        {words.map((word) => {
          const isOn = prompt.includes(word)
          return (
            <button
              key={word}
              type="button"
              aria-pressed={isOn}
              onClick={() => onChange(isOn ? prompt.replace(word, '').trim() : `${prompt} ${word}`.trim())}
            >
              {word}
            </button>
          )
        })}
      </span>
      <small>{t('faultsHint')}</small>
    </fieldset>
  )
}
