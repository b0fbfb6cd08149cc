const OPEN = '\u{E000}\u{E001}'
const CLOSE = '\u{E002}'

/**
 * `{ api_key: ${NAME} }` is not YAML: a brace ends a plain text there. So private characters of the same
 * length replace each `${` and `}` before the file is parsed, which keeps lines and columns correct.
 * Variables are filled in after parsing, so that no value of a variable changes the structure of the file.
 */
export function setPlaceholdersAside(source: string): string {
  return source.replaceAll(/\$\{([^{}\n]*)\}/g, `${OPEN}$1${CLOSE}`)
}

/** Reverses `setPlaceholdersAside`. */
export function asWritten(text: string): string {
  return text.replaceAll(OPEN, '${').replaceAll(CLOSE, '}')
}

export type Filled = { value: string } | { wrong: string; fix: string }

/** Replaces the variables by their values. An empty variable counts as unset. */
export function fillIn(text: string, environment: Readonly<Record<string, string | undefined>>): Filled {
  let fault: { wrong: string; fix: string } | undefined
  const value = text.replaceAll(PLACEHOLDER, (_, name: string) => {
    const found = Object.hasOwn(environment, name) ? environment[name] : undefined
    if (found) return found
    fault ??= /^[A-Za-z_]\w*$/.test(name)
      ? {
          wrong: `the variable ${name} is not set`,
          fix: `Set ${name} in the environment, or write the value here.`,
        }
      : {
          wrong: `"\${${name}}" does not name a variable`,
          fix: `Write \${NAME} with letters, digits and underscores.`,
        }
    return ''
  })
  if (text.includes('${')) {
    fault ??= { wrong: 'a "${" is not closed', fix: 'Close it with "}". A "${" cannot be part of a value.' }
  }
  return fault ?? { value }
}

export function variablesIn(source: string): Set<string> {
  return new Set([...setPlaceholdersAside(source).matchAll(PLACEHOLDER)].map(([, name = '']) => name))
}

const PLACEHOLDER = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, 'gu')
