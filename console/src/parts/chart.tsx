import { useEffect, useRef, useState } from 'react'
import UPlot, { type AlignedData } from 'uplot'
import './chart.css'
import { labelsOf } from '../format/axis-labels.ts'
import { type Language, useLanguage } from '../words/words.ts'
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
  /** Lines stand on each other; the first is the lowest. */
  isStacked?: boolean
  format(value: number): string
  /** Called with the chosen part, in seconds. */
  onZoom?: ((from: number, to: number) => void) | undefined
  /** Called with the index of the point that was clicked. */
  onPoint?: ((index: number) => void) | undefined
}

const HEIGHT_PX = 220
/** A shorter drag is a click. */
const DRAG_PX = 8

interface Shown {
  index: number
  leftPx: number
}

/** Lines over time, with a tooltip for each point. Dragging chooses a part of the time, a click leads to its rows. */
export function Chart(props: Props) {
  const { label, times, lines, format } = props
  const place = useRef<HTMLDivElement>(null)
  const locale = useLanguage()
  const latest = useRef(props)
  latest.current = props
  const [shown, setShown] = useState<Shown>()
  const content = JSON.stringify([times, lines, locale, props.isStacked])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the content stands for all that is drawn.
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const plot = draw(element, { latest, locale, onCursor: setShown })
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

  const drawn = lines.filter(({ values }) => values.some((value) => value !== null && value !== 0))
  return (
    <div className="chart">
      <div ref={place} role="img" aria-label={label} className={props.onPoint && 'is-linked'} />
      {shown !== undefined && times[shown.index] !== undefined && (
        <Tooltip shown={shown} time={times[shown.index] ?? 0} lines={drawn} format={format} />
      )}
      {drawn.length > 1 && (
        <ul className="legend">
          {drawn.map(({ label: name, tone }) => (
            <li key={name}>
              <i style={{ background: `var(--${tone})` }} />
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface TooltipProps {
  shown: Shown
  time: number
  lines: readonly Line[]
  format(value: number): string
}

function Tooltip({ shown, time, lines, format }: TooltipProps) {
  const locale = useLanguage()
  const exact = new Intl.DateTimeFormat(locale, {
    ...{ year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  return (
    <div className="tooltip" style={{ left: shown.leftPx }}>
      <b>{exact.format(time * 1_000)}</b>
      {lines.map(({ label, values, tone }) => {
        const value = values[shown.index]
        return (
          <span key={label}>
            <i style={{ background: `var(--${tone})` }} />
            {label} {value === null || value === undefined ? '–' : format(value)}
          </span>
        )
      })}
    </div>
  )
}

interface Drawing {
  latest: { current: Props }
  locale: Language
  onCursor(shown: Shown | undefined): void
}

function draw(element: HTMLElement, { latest, locale, onCursor }: Drawing): UPlot {
  const { times, lines, isStacked = false, format } = latest.current
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
  // The highest sum is drawn first, and each lower one covers its part.
  const layers = isStacked ? stackedOf(lines).toReversed() : lines
  const plot = new UPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: {
        drag: { x: latest.current.onZoom !== undefined, y: false, dist: DRAG_PX },
        points: { show: false },
      },
      hooks: {
        setCursor: [
          (plot) => {
            const { idx, left = -1 } = plot.cursor
            const isOut = idx === null || idx === undefined || left < 0
            onCursor(isOut ? undefined : { index: idx, leftPx: Math.min(left + 24, plot.width - 200) })
          },
        ],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select
            if (width < DRAG_PX) return
            latest.current.onZoom?.(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
          },
        ],
      },
      scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      axes: [
        { ...axis, size: 30, values: (_plot, ticks) => ticks.map((tick) => stamp.format(tick * 1_000)) },
        { ...axis, size: widthOfLabels, values: (_plot, ticks) => labelsOf(ticks, format) },
      ],
      series: [
        {},
        ...layers.map(({ label, tone, isDashed }) => ({
          label,
          stroke: () => colour(tone),
          width: isDashed ? 1.5 : 2,
          ...(isDashed
            ? { dash: [4, 4] }
            : { fill: () => (isStacked ? colour(tone) : withAlpha(colour(tone))) }),
          points: { show: times.length < 3 },
        })),
      ],
    },
    [times, ...layers.map(({ values }) => values)] as AlignedData,
    element,
  )
  let downX = 0
  plot.over.addEventListener('mousedown', ({ clientX }) => {
    downX = clientX
  })
  plot.over.addEventListener('mouseup', ({ clientX }) => {
    const { idx } = plot.cursor
    if (idx !== null && idx !== undefined && Math.abs(clientX - downX) < DRAG_PX)
      latest.current.onPoint?.(idx)
  })
  return plot
}

/** Adds to each line the values of the lines below it. */
function stackedOf(lines: readonly Line[]): Line[] {
  const sums: number[] = []
  return lines.map((line) => ({
    ...line,
    values: line.values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0)
      return sums[index]
    }),
  }))
}

/** Approximate width of the longest label in pixels; the plot gets the remaining width. */
function widthOfLabels(_plot: UPlot, labels: string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length))
  return 16 + longest * 7
}

function withAlpha(rgb: string): string {
  return rgb.replace('rgb(', 'rgba(').replace(')', ', 0.10)')
}
