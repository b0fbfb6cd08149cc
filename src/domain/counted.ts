/** A number with its noun, for people: `1 asset`, `2 assets`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
