/** One event of this wire. JSON escapes every end of line, so that no text can pass for an event of its own. */
export function sseEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
