/** One line of what `sluice doctor` says. */
export interface DependencyCheck {
  name: string
  ok: boolean
  detail: string
  fix?: string
}
