export function isHttps(url: string): boolean {
  return url.slice(0, 8).toLowerCase() === 'https://'
}
