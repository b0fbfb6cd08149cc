import { duration, usd } from '../format/format.ts'
import { LANES, type Lane, type LaneEvent, type Timeline as Model } from '../format/lanes.ts'
import { stateWords } from '../words/states.ts'
import { videoWords } from '../words/video.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { Table } from './table.tsx'
import { Time } from './values.tsx'
import '../styles/video.css'

const LANE_WORDS = {
  client: 'laneClient',
  gateway: 'laneGateway',
  vendor: 'laneVendor',
  money: 'laneMoney',
  callback: 'laneCallback',
} as const satisfies Record<Lane, keyof typeof videoWords>

const TICKS = [0, 0.25, 0.5, 0.75, 1]

/** Five lanes on one time axis. The list below has the events as text, for keyboards and screen readers. */
export function Timeline({ timeline }: { timeline: Model }) {
  const t = useWords(videoWords)
  const tell = useEventText()
  const locale = useLanguage()
  const { fromMs, toMs, events, spans } = timeline
  const place = (ms: number) => `${((ms - fromMs) / (toMs - fromMs)) * 100}%`
  return (
    <>
      <div className="timeline" aria-hidden="true">
        {LANES.map((lane) => (
          <div key={lane} className="contents">
            <span className="lane-name">{t(LANE_WORDS[lane])}</span>
            <div className="lane">
              {spans
                .filter((span) => span.lane === lane)
                .map((span) => (
                  <span
                    key={`${span.fromMs}${span.kind}`}
                    className={`span ${span.kind}`}
                    title={`${t(span.kind === 'wait' ? 'waitingTime' : 'workingTime')}: ${duration(span.toMs - span.fromMs, locale)}`}
                    style={{
                      left: place(span.fromMs),
                      width: `calc(${place(span.toMs)} - ${place(span.fromMs)})`,
                    }}
                  />
                ))}
              {events
                .filter((event) => event.lane === lane)
                .map((event) => (
                  <span
                    key={`${event.name}${event.atMs}${event.state}${event.micros}`}
                    className={`dot ${event.tone}`}
                    title={`${tell(event)} · +${duration(event.atMs - fromMs, locale)}`}
                    style={{ left: place(event.atMs) }}
                  />
                ))}
            </div>
          </div>
        ))}
        <div className="axis">
          {TICKS.map((tick) => (
            <span key={tick} style={{ left: `${tick * 100}%` }}>
              {tick === 0 ? '0' : `+${duration((toMs - fromMs) * tick, locale)}`}
            </span>
          ))}
        </div>
      </div>
      <Table
        name="events"
        label={t('events')}
        rows={events.map((event, index) => ({ ...event, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          {
            name: 'at',
            title: t('when'),
            value: ({ atMs }) => new Date(atMs).toISOString(),
            cell: ({ atMs }) => <Time iso={new Date(atMs).toISOString()} />,
          },
          {
            name: 'after',
            title: t('after'),
            isNumber: true,
            value: ({ atMs }) => atMs - fromMs,
            cell: ({ atMs }) => duration(atMs - fromMs, locale),
          },
          { name: 'lane', title: t('lane'), cell: ({ lane }) => t(LANE_WORDS[lane]) },
          {
            name: 'event',
            title: t('event'),
            value: tell,
            cell: (event) => (
              <span className={event.tone === 'plain' ? undefined : event.tone}>{tell(event)}</span>
            ),
          },
          { name: 'detail', title: t('detail'), cell: ({ detail }) => detail ?? '' },
        ]}
      />
    </>
  )
}

export function TimelineKey() {
  const t = useWords(videoWords)
  return (
    <span className="timeline-key">
      <span>
        <i className="wait" />
        {t('waitingTime')}
      </span>
      <span>
        <i />
        {t('workingTime')}
      </span>
    </span>
  )
}

function useEventText(): (event: LaneEvent) => string {
  const t = useWords(videoWords)
  const states = useWords(stateWords)
  const locale = useLanguage()
  return ({ name, state = '', micros = 0 }) => {
    const known = state in stateWords ? states(state as keyof typeof stateWords) : state
    return t(`${name}_event`, { state: known, amount: usd(Math.abs(micros), locale) })
  }
}
