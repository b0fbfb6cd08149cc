import { Link } from '@tanstack/react-router'
import type { Turn } from '../format/dialects.ts'
import { Duration, Usd } from '../parts/values.tsx'
import { playgroundWords } from '../words/playground.ts'
import { useWords } from '../words/words.ts'
import type { Outcome } from './run-text.ts'

interface Props {
  model: string
  turns: readonly Turn[]
  /** The question that the outcome answers; undefined once it is among the turns. */
  asked: string | undefined
  outcome: Outcome | undefined
}

/** The conversation with one model. */
export function Lane({ model, turns, asked, outcome }: Props) {
  const t = useWords(playgroundWords)
  return (
    <section className="card" aria-label={`${t('answer')}: ${model}`}>
      <header>
        <h2>{model}</h2>
        {outcome !== undefined && <Facts outcome={outcome} />}
      </header>
      <div className="pad answer" aria-live="polite" aria-busy={outcome?.isRunning ?? false}>
        {turns.length === 0 && outcome === undefined && <span className="muted">{t('nothingYet')}</span>}
        {turns.map(({ user, assistant }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added.
          <div key={index} className="turn">
            <p className="asked">{user}</p>
            <p>{assistant}</p>
          </div>
        ))}
        {asked !== undefined && outcome !== undefined && (
          <div className="turn">
            <p className="asked">{asked}</p>
            <p>{outcome.text}</p>
          </div>
        )}
        {outcome?.failure && <p className="bad">{outcome.failure}</p>}
      </div>
    </section>
  )
}

function Facts({ outcome }: { outcome: Outcome }) {
  const t = useWords(playgroundWords)
  const { status, tokens, costUsd, losses, firstByteMs, totalMs, requestId } = outcome
  return (
    <span className="states">
      <span className={`chip ${status >= 400 || status === 0 ? 'bad' : 'ok'}`}>{status || '…'}</span>
      {tokens && (
        <span>
          {t('tokens')} {tokens.input ?? '?'} + {tokens.output ?? '?'}
        </span>
      )}
      {costUsd !== undefined && (
        <span>
          {t('cost')} <Usd micros={Math.round(Number(costUsd) * 1_000_000)} />
        </span>
      )}
      <span>
        {t('losses')} {losses || t('none')}
      </span>
      {firstByteMs !== undefined && (
        <span>
          {t('firstByte')} <Duration ms={firstByteMs} />
        </span>
      )}
      {totalMs !== undefined && (
        <span>
          {t('total')} <Duration ms={totalMs} />
        </span>
      )}
      {requestId !== '' && (
        <Link to="/requests" search={{ id: requestId } as never}>
          {t('trace')}
        </Link>
      )}
    </span>
  )
}
