/** An IPv6 address stands in brackets, or its last part would be taken for the port. */
export function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
