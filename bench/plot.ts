import { type Figures, spell } from './figures.ts'

const WIDTH = 760
const NAMES_WIDTH = 260
const FIGURES_WIDTH = 80
const BAR_HEIGHT = 16
const ROW_HEIGHT = 24
const TOP = 34

/** One bar for each row, as long as its figure; readable on light and dark pages. */
export function plotOf({ title, rows, plotted = '' }: Figures): string {
  const bars = Object.entries(rows).flatMap(([name, row]) => {
    const value = row[plotted]
    return typeof value === 'number' ? [{ name, value }] : []
  })
  const longest = Math.max(...bars.map(({ value }) => value))
  const lines = bars.map(({ name, value }, index) => {
    const y = TOP + index * ROW_HEIGHT
    const width = ((WIDTH - NAMES_WIDTH - FIGURES_WIDTH) * value) / longest
    const color = name.startsWith('Sluice') ? '#2f7d6b' : '#8a8f98'
    return (
      `  <text x="${NAMES_WIDTH - 8}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>\n` +
      `  <rect x="${NAMES_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" fill="${color}"/>\n` +
      `  <text x="${(NAMES_WIDTH + width + 6).toFixed(1)}" y="${y + 12}">${spell(value)}</text>`
    )
  })
  const height = TOP + bars.length * ROW_HEIGHT + 6
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
  <title>${escaped(title)}</title>
  <rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
  <text x="8" y="20" font-size="14">${escaped(`${title}: ${plotted}`)}</text>
${lines.join('\n')}
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
