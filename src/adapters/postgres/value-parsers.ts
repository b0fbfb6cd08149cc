import { type CustomTypesConfig, types } from 'pg'

/** Parses whole numbers, which `pg` returns as text. Decimals stay text, which keeps their precision. */
export const VALUE_PARSERS: CustomTypesConfig = {
  getTypeParser: (typeId, format) =>
    typeId === types.builtins.INT8 && format !== 'binary'
      ? parseWholeNumber
      : types.getTypeParser(typeId, format),
}

function parseWholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is more than a number can hold exactly`)
  return value
}
