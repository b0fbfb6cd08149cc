/** One line of what `sluice doctor` says. */
export interface DependencyCheck {
  name: string
  ok: boolean
  /** In order, and still something to know. */
  warning?: true
  detail: string
  fix?: string
}
