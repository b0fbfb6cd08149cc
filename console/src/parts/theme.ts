export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const PLACE = 'sluice.theme'

export function chosenTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(PLACE)) ?? 'system'
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(PLACE, theme)
  applyTheme()
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = chosenTheme()
}

/** Returns the value of a colour token, because charts draw on a canvas, which knows no style sheets. */
export function colour(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}
