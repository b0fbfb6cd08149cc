/** An IPv6 address needs brackets, otherwise its last part would be read as the port. */
export function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
