import { useEffect, useRef } from 'react'
import UPlot, { type AlignedData } from 'uplot'
import './chart.css'
import { labelsOf } from '../format/axis-labels.ts'
import { frameWords } from '../words/frame.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { colour } from './theme.ts'

export interface Line {
  label: string
  values: (number | null)[]
  /** A name of the colour tokens. */
  tone: string
  isDashed?: boolean
}

interface Props {
  label: string
  /** Seconds since 1970. */
  times: number[]
  lines: Line[]
  format(value: number): string
}

const HEIGHT_PX = 220

export function Chart({ label, times, lines, format }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const locale = useLanguage()
  const t = useWords(frameWords)
  const latest = useRef(format)
  latest.current = format
  const content = JSON.stringify([times, lines, locale])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the content stands for all that is drawn.
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const plot = draw(element, {
      times,
      lines,
      locale,
      timeLabel: t('time'),
      format: (value) => latest.current(value),
    })
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    resized.observe(element)
    const theme = new MutationObserver(() => plot.redraw(false, true))
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      resized.disconnect()
      theme.disconnect()
      plot.destroy()
    }
  }, [content])

  return <div ref={place} role="img" aria-label={label} />
}

interface Drawing extends Omit<Props, 'label'> {
  locale: string
  timeLabel: string
}

function draw(element: HTMLElement, { times, lines, locale, timeLabel, format }: Drawing): UPlot {
  const axis = {
    stroke: () => colour('muted'),
    grid: { stroke: () => colour('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  }
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 3 * 86_400
  const stamp = new Intl.DateTimeFormat(
    locale,
    isLong ? { month: 'short', day: 'numeric' } : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  )
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return new UPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      axes: [
        { ...axis, size: 30, values: (_plot, ticks) => ticks.map((tick) => stamp.format(tick * 1_000)) },
        { ...axis, size: widthOfLabels, values: (_plot, ticks) => labelsOf(ticks, format) },
      ],
      series: [
        { value: (_plot, value) => (value === null ? '' : exact.format(value * 1_000)), label: timeLabel },
        ...lines.map(({ label, tone, isDashed }) => ({
          label,
          stroke: () => colour(tone),
          width: isDashed ? 1.5 : 2,
          ...(isDashed ? { dash: [4, 4] } : { fill: () => withAlpha(colour(tone)) }),
          points: { show: times.length < 3 },
          value: (_plot: UPlot, value: number | null) => (value === null ? '–' : format(value)),
        })),
      ],
    },
    [times, ...lines.map(({ values }) => values)] as AlignedData,
    element,
  )
}

/** Width of the longest label, so that the line gets the rest. */
function widthOfLabels(_plot: UPlot, labels: string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length))
  return 16 + longest * 7
}

function withAlpha(rgb: string): string {
  return rgb.replace('rgb(', 'rgba(').replace(')', ', 0.10)')
}
