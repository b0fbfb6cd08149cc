import type { Command } from 'commander'

/** Mistakes that commander accepts: an option given twice, of which one would be lost, and an empty value. */
export function rejectDuplicateOptions(command: Command): void {
  for (const option of command.options) {
    let times = 0
    command.on(`option:${option.name()}`, (value: string | null) => {
      times += 1
      if (times > 1) command.error(`option '${option.flags}' is given twice`)
      if (option.required && isEmpty(value))
        command.error(`option '${option.flags}' is empty${missing(option.flags)}`)
    })
  }
  command.hook('preAction', () => {
    const index = command.args.findIndex(isEmpty)
    const name = command.registeredArguments[index]?.name() ?? ''
    if (index >= 0) command.error(`argument '${name}' is empty${missing(name)}`)
  })
}

function isEmpty(value: string | null | undefined): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function missing(name: string): string {
  return /\bid\b/.test(name) ? ': an id is missing' : ''
}
