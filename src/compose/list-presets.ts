import { loadPresets, type Preset } from '../config/presets/presets.ts'
import type { PresetReport } from '../ports/installation.ts'

/** Lists the presets for operators, without a key: a variable of the environment is not filled in here. */
export function listPresets(): PresetReport[] {
  return loadPresets().map(reportOf)
}

function reportOf({ name, title, variable, prices, plain }: Preset): PresetReport {
  const { api_key: _key, ...settings } = plain.provider
  return {
    name,
    title,
    driver: String(settings.driver),
    needsKey: variable !== undefined,
    needsBaseUrl: /^https?:\/\/(localhost|127\.|\[)/.test(String(settings.base_url)),
    pricesTaken: prices?.taken ?? null,
    pricesPage: prices?.page ?? null,
    settings,
    models: plain.models,
  }
}
