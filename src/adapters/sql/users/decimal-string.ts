/**
 * One spelling for a decimal of at most six places: `5.250000` and the number 5.25 are both `5.25`.
 * A binary number is rounded to the six places first, which takes its noise away.
 */
export function toDecimalString(value: string | number): string {
  const spelled = typeof value === 'number' ? value.toFixed(6) : value
  if (!spelled.includes('.')) return spelled
  const shortened = spelled.replace(/\.?0+$/, '')
  return shortened === '-0' ? '0' : shortened
}
