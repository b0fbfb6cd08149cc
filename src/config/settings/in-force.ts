import { SETTING_GROUPS, SETTINGS, type Setting } from './settings.ts'

const HIDDEN = '[secret]'

/** Returns every setting with its effective value, without secrets and credentials in addresses. */
export function settingsInForce(environment: Readonly<Record<string, string | undefined>>) {
  return Object.entries<Setting>(SETTINGS).map(([name, { group, kind, default: usual }]) => {
    const given = environment[name] || undefined
    const text = given ?? usual
    const shown = kind.secret ? HIDDEN : text?.replace(/\/\/.*@/s, '//...@')
    return {
      name,
      group: SETTING_GROUPS[group],
      value: text === undefined ? null : (shown ?? null),
      isSecret: kind.secret === true,
      isDefault: given === undefined || given === usual,
    }
  })
}
