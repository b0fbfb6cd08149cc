/** ` 1080P ` and `1080p` are one resolution. */
export function plainResolution(resolution: string): string {
  return resolution.replaceAll(/\s/g, '').toLowerCase()
}
