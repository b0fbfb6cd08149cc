import type { DependencyCheck } from '../../ports/installation.ts'

export function passed(name: string, detail: string): DependencyCheck {
  return { name, ok: true, detail }
}

/** Result of a check that passed, with a remark for the operator. */
export function warned(name: string, detail: string, fix?: string): DependencyCheck {
  return { name, ok: true, warning: true, detail, fix }
}

export function failed(name: string, detail: string, fix: string): DependencyCheck {
  return { name, ok: false, detail, fix }
}
