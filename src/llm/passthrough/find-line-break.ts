/** The first `\n` or `\r` at or after `from`, or -1. */
export function findLineBreak(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  // Only that far: a stream without returns would be searched to its end for every line.
  const line = feed === -1 ? text.slice(from) : text.slice(from, feed)
  const back = line.indexOf('\r')
  return back === -1 ? feed : from + back
}
